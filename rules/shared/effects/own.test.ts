import { factsOf } from "@agentgate/parsers/testing";
import { describe, expect, test } from "vitest";
import { contextOf } from "../testing.ts";
import { effectsOf } from "./index.ts";
import { effectsIn, spelled } from "./testing.ts";
import type { Language } from "./testing.ts";

interface Row {
  readonly technique: string;
  readonly python: string | null;
  readonly typescript: string | null;
  /** The effects, in order; of both languages, or of each. */
  readonly expected: readonly string[] | readonly [python: readonly string[], typescript: readonly string[]];
}

function runRows(rows: readonly Row[]): void {
  describe.each(["python", "typescript"] as const)("%s", (language) => {
    for (const row of rows) {
      const source = row[language];
      if (source === null) continue;
      test(row.technique, () => { expect(own(language, source)).toEqual(expectedOf(row, language)); });
    }
  });
}

function own(language: Language, source: string): readonly string[] {
  return effectsIn(language, source).effects.own.map(spelled);
}

function expectedOf({ expected }: Row, language: Language): readonly string[] {
  const [first, second] = expected;
  if (Array.isArray(first) && Array.isArray(second)) return language === "python" ? first : second as readonly string[];
  return expected as readonly string[];
}

describe("resolved receivers", () => {
  runRows([
    { technique: "a client's verb", python: 'import httpx\nc = httpx.Client()\nc.post("https://x.io/orders")', typescript: 'import axios from "axios";\nconst c = axios.create();\nc.post("https://x.io/orders");', expected: [["net! httpx.Client.post"], ["net! axios.create.post"]] },
    { technique: "a read", python: 'import requests\nrequests.get("https://x.io/a")', typescript: 'fetch("https://x.io/a");', expected: [["net requests.get"], ["net fetch"]] },
    { technique: "making a client is none", python: 'import boto3, redis, openai, psycopg, sqlalchemy, requests\nboto3.client("s3")\nredis.from_url(u)\nopenai.OpenAI()\npsycopg.connect(u)\nsqlalchemy.create_engine(u).connect()\nrequests.Session()', typescript: 'import Stripe from "stripe"; import OpenAI from "openai"; import { Pool } from "pg"; import { S3Client } from "@aws-sdk/client-s3"; import { createClient } from "redis";\nnew Stripe(k); new OpenAI(); new Pool(); new S3Client({}); createClient({ url });', expected: [] },
    { technique: "a client by its annotation", python: "import httpx\ndef send(c: httpx.Client):\n    c.delete(u)", typescript: 'import type { AxiosInstance } from "axios";\nfunction send(c: AxiosInstance) { c.delete(u); }', expected: [["net! httpx.Client.delete by annotation"], ["net! axios.AxiosInstance.delete by annotation"]] },
    { technique: "object stores", python: 'import boto3\ns3 = boto3.client("s3")\ns3.put_object(Bucket=b, Key=k)\ns3.get_object(Bucket=b, Key=k)', typescript: 'import { S3Client, PutObjectCommand, GetObjectCommand } from "@aws-sdk/client-s3";\nconst s3 = new S3Client({});\ns3.send(new PutObjectCommand({}));\ns3.send(new GetObjectCommand({}));', expected: [["cloud.write! boto3.client.put_object"], ["cloud.write! @aws-sdk/client-s3.S3Client.send"]] },
    { technique: "statements that read, write, begin and are unknown", python: 'import psycopg\nc = psycopg.connect(u)\nc.execute("SELECT 1")\nc.execute("INSERT INTO t VALUES (1)")\nc.execute("BEGIN")\nc.execute(q)', typescript: 'import { Pool } from "pg";\nconst c = new Pool();\nc.query("SELECT 1");\nc.query("INSERT INTO t VALUES (1)");\nc.query("BEGIN");\nc.query(q);', expected: [["db.write! psycopg.connect.execute", "db.write! psycopg.connect.execute"], ["db.write! pg.Pool.query", "db.write! pg.Pool.query"]] },
    { technique: "a statement that is built", python: "from sqlalchemy import select, insert\nfrom sqlalchemy.orm import Session\ns = Session(e)\ns.execute(select(User).where(User.id == 1))\ns.execute(insert(User))\ns.commit()", typescript: null, expected: ["db.write! sqlalchemy.orm.Session.execute", "db.write! sqlalchemy.orm.Session.commit"] },
    { technique: "money moves, and is looked at", python: "import stripe\nstripe.Refund.create(charge=c)\nstripe.Customer.retrieve(i)\nstripe.Charge.list()", typescript: 'import Stripe from "stripe";\nconst s = new Stripe(k);\ns.refunds.create({});\ns.customers.retrieve(i);\ns.charges.list();', expected: [["pay! stripe.Refund.create"], ["pay! stripe.refunds.create"]] },
    { technique: "models, and what belongs to them", python: 'import openai\nc = openai.OpenAI()\nc.chat.completions.create(model="m")\nc.models.list()\nc.with_options(timeout=3)', typescript: 'import OpenAI from "openai";\nconst c = new OpenAI();\nc.chat.completions.create({});\nc.models.list();', expected: [["model openai.OpenAI.chat.completions.create"], ["model openai.chat.completions.create"]] },
    { technique: "processes, and what is asked of one", python: 'import subprocess\np = subprocess.Popen(["ls"])\np.wait()\nsubprocess.run(["ls"]).stdout.strip()', typescript: 'import { spawn, execSync } from "node:child_process";\nconst p = spawn("ls");\np.on("exit", f);\nexecSync("ls").toString().trim();', expected: [["proc subprocess.Popen", "proc subprocess.run"], ["proc node:child_process.spawn", "proc node:child_process.execSync"]] },
    { technique: "queues, mail, chats", python: 'import smtplib\nfrom kafka import KafkaProducer\nfrom slack_sdk import WebClient\nKafkaProducer().send("t", b"x")\nsmtplib.SMTP(h).sendmail(a, b, m)\nWebClient().chat_postMessage(channel=c)', typescript: 'import { Queue } from "bullmq"; import nodemailer from "nodemailer"; import { WebClient } from "@slack/web-api";\nnew Queue("q").add("job", {});\nnodemailer.createTransport(o).sendMail(m);\nnew WebClient(t).chat.postMessage({});', expected: [["queue! kafka.KafkaProducer.send", "mail! smtplib.SMTP.sendmail", "notify! slack_sdk.WebClient.chat_postMessage"], ["queue! bullmq.Queue.add", "mail! nodemailer.createTransport.sendMail", "notify! @slack/web-api.WebClient.chat.postMessage"]] },
    { technique: "a tool is run; its server is asked", python: "from mcp import ClientSession\nasync def f(s: ClientSession):\n    await s.call_tool(n)\n    await s.list_tools()\n    await s.initialize()", typescript: 'import { Client } from "@modelcontextprotocol/sdk/client/index.js";\nconst s = new Client({});\ns.callTool({});\ns.listTools();', expected: [["tool mcp.ClientSession.call_tool by annotation", "net mcp.ClientSession.list_tools by annotation"], ["tool @modelcontextprotocol/sdk/client/index.js.Client.callTool", "net @modelcontextprotocol/sdk/client/index.js.Client.listTools"]] },
    { technique: "files, temporary ones, buffers and standard output", python: 'import io, sys, tempfile, os, shutil\nopen("a", "w").write("x")\nopen("a").read()\nd = tempfile.mkdtemp()\nopen(os.path.join(d, "a"), "w")\nshutil.rmtree(d)\nimage.save(io.BytesIO())\nsys.stdout.write("x")', typescript: 'import fs from "node:fs"; import os from "node:os"; import path from "node:path";\nfs.writeFileSync("a", "x");\nfs.readFileSync("a");\nconst d = fs.mkdtempSync(path.join(os.tmpdir(), "x"));\nfs.writeFileSync(path.join(d, "a"), "x");\nfs.rmSync("/tmp/x");\nprocess.stdout.write("x");', expected: [["fs.write! open", "fs.write! open.write", "fs.write!~ tempfile.mkdtemp", "fs.write!~ open", "fs.delete!~ shutil.rmtree"], ["fs.write! node:fs.writeFileSync", "fs.write!~ node:fs.mkdtempSync", "fs.write!~ node:fs.writeFileSync", "fs.delete!~ node:fs.rmSync"]] },
    { technique: "a folder that may be another one than the temporary", python: 'import os\ndef f(given, folder="/tmp"):\n    os.makedirs(given or "/tmp/x")\n    os.remove(folder + "/a")\n    os.remove("/tmp/" + given)', typescript: 'import fs from "node:fs"; import os from "node:os";\nfunction f(given, folder = "/tmp") { fs.mkdirSync(given ?? os.tmpdir()); fs.rmSync(folder + "/a"); fs.rmSync(`${os.tmpdir()}/${given}`); }', expected: [["fs.write! os.makedirs", "fs.delete! os.remove", "fs.delete!~ os.remove"], ["fs.write! node:fs.mkdirSync", "fs.delete! node:fs.rmSync", "fs.delete!~ node:fs.rmSync"]] },
    { technique: "a bot that is started", python: "from slack_bolt.adapter.socket_mode import SocketModeHandler\nSocketModeHandler(app, t).start()", typescript: 'import { App } from "@slack/bolt";\nnew App({}).start(3000);', expected: [] },
    { technique: "a log's own file", python: 'import logging\nlogging.FileHandler("a.log")\nlogging.basicConfig(filename="a.log")', typescript: 'import winston from "winston";\nnew winston.transports.File({ filename: "a.log" });', expected: [] },
    { technique: "the handle of work that was started", python: "import asyncio, httpx\nc = httpx.AsyncClient()\ntask = None\nasync def f():\n    global task\n    task = asyncio.create_task(c.post(u))\n    task.add_done_callback(g)\n    task.cancel()", typescript: 'import got from "got";\nconst task = got.post(u);\ntask.then(g);\ntask.cancel();', expected: [["net! httpx.AsyncClient.post"], ["net! got.post"]] },
    { technique: "the environment", python: 'import os\nos.putenv("A", "1")\nos.getenv("A")', typescript: 'Deno.env.set("A", "1");\nDeno.env.get("A");', expected: [["env.write! os.putenv"], ["env.write! Deno.env.set"]] },
  ]);
});

describe("verbs", () => {
  runRows([
    { technique: "request with a verb", python: 'import requests\nrequests.request("POST", u)\nrequests.request("GET", u)', typescript: 'fetch(u, { method: "POST" });\nfetch(u, { method: "GET" });', expected: [["net! requests.request", "net requests.request"], ["net! fetch", "net fetch"]] },
    { technique: "a verb in a variable", python: 'import httpx\nverb = "PUT" if new else "POST"\nhttpx.request(verb, u)', typescript: 'const init = { method: isNew ? "PUT" : "POST" };\nfetch(u, init);', expected: [["net! httpx.request"], ["net! fetch"]] },
    { technique: "a verb that may be any", python: "import httpx\ndef send(method, u):\n    httpx.request(method, u)", typescript: "export function send(method, u) { fetch(u, { method }); }", expected: [["net! httpx.request"], ["net! fetch"]] },
    { technique: "a prebuilt request", python: 'from urllib.request import Request, urlopen\nreq = Request(u, method="DELETE")\nurlopen(req)', typescript: 'const req = new Request(u, { method: "DELETE" });\nfetch(req);', expected: [["net! urllib.request.urlopen"], ["net! fetch"]] },
    { technique: "a prepared request", python: 'import requests\ns = requests.Session()\nreq = requests.Request("POST", u)\ns.send(s.prepare_request(req))\ns.send(requests.Request("GET", u).prepare())', typescript: null, expected: ["net! requests.Session.send", "net requests.Session.send"] },
    { technique: "data makes a post", python: "from urllib.request import urlopen\nurlopen(u, data=b)", typescript: null, expected: ["net! urllib.request.urlopen"] },
    { technique: "options spread", python: null, typescript: 'const base = { method: "PATCH" };\nfetch(u, { ...base, body });', expected: ["net! fetch"] },
    { technique: "a search, embeddings, tokens and counts by POST", python: 'import requests\nrequests.post("https://x.io/v1/search", json=q)\nrequests.post(f"{base}/v1/embeddings", json=q)\nrequests.post(self.token_url, data=d)\nrequests.post(base + "/threads/count", json=q)\nrequests.post(f"{base}/orders/{i}", json=q)', typescript: 'const init = { method: "POST" };\nfetch("https://x.io/v1/search", init);\nfetch(`${base}/v1/embeddings`, init);\nfetch(o.tokenUrl, init);\nfetch(base + "/threads/count", init);\nfetch(`${base}/orders/${i}`, init);', expected: [["net requests.post", "net requests.post", "net requests.post", "net requests.post", "net! requests.post"], ["net fetch", "net fetch", "net fetch", "net fetch", "net! fetch"]] },
    { technique: "GraphQL", python: 'import requests\nrequests.post("https://x.io/graphql", json={"query": "query { a }"})\nrequests.post("https://x.io/graphql", json={"query": "mutation { a }"})\nrequests.post("https://x.io/graphql", json={"query": q})', typescript: 'const h = "https://x.io/graphql";\nfetch(h, { method: "POST", body: JSON.stringify({ query: "query { a }" }) });\nfetch(h, { method: "POST", body: JSON.stringify({ query: "mutation { a }" }) });\nfetch(h, { method: "POST", body: JSON.stringify({ query: q }) });', expected: [["net requests.post", "net! requests.post", "net requests.post"], ["net fetch", "net! fetch", "net fetch"]] },
    { technique: "an answer's own methods", python: "import requests\nrequests.get(u).json().get('x')\nr = requests.get(u)\nr.raise_for_status()", typescript: "(await (await fetch(u)).json()).push(1);", expected: [["net requests.get", "net requests.get"], ["net fetch"]] },
  ]);
});

describe("handles that nothing resolves", () => {
  runRows([
    { technique: "a distinctive tail", python: "def f(client):\n    client.chat.completions.create(model=m)\n    client.call_tool(n)", typescript: "function f(client) { client.chat.completions.create({}); client.callTool(n); }", expected: [["model client.chat.completions.create by tail", "tool client.call_tool by tail"], ["model client.chat.completions.create by tail", "tool client.callTool by tail"]] },
    { technique: "a conventional name with a method", python: "def f(session, cursor, redis, s3, producer):\n    session.post(u)\n    session.commit()\n    cursor.execute(q)\n    redis.set(k, v)\n    s3.put_object(Key=k)\n    producer.send(t, m)", typescript: "function f(axios, prisma, redis, s3, producer, stripe) { axios.post(u); prisma.user.create({}); redis.set(k, v); s3.putObject({}); producer.send(m); stripe.refunds.create({}); }", expected: [["net! session.post by convention", "db.write! session.commit by convention", "db.write! cursor.execute by convention", "db.write! redis.set by convention", "cloud.write! s3.put_object by convention", "queue! producer.send by convention"], ["net! axios.post by convention", "db.write! prisma.user.create by convention", "db.write! redis.set by convention", "cloud.write! s3.putObject by convention", "queue! producer.send by convention", "pay! stripe.refunds.create by convention"]] },
    { technique: "a method's name alone never", python: "def f(x, items):\n    x.post(u)\n    x.create(u)\n    x.send(m)\n    items.insert(0, x)\n    x.delete(k)\n    x.save()", typescript: "function f(x, items) { x.post(u); x.create(u); x.send(m); items.push(x); x.delete(k); x.save(); }", expected: [] },
    { technique: "SQL text", python: 'def f(x):\n    x.execute("UPDATE t SET a = 1")\n    x.execute("SELECT 1")\n    x.execute("run the tests")', typescript: 'function f(x) { x.query("UPDATE t SET a = 1"); x.query("SELECT 1"); x.query("run the tests"); x.prepare("DELETE FROM t").run(); }', expected: [["db.write! x.execute by arguments"], ["db.write! x.query by arguments", "db.write! prepare.run by arguments"]] },
    { technique: "an address and a verb", python: null, typescript: 'function f(send) { send("https://x.io/orders", { method: "POST", body: b }); send("https://x.io/search", { method: "POST", body: b }); send("a", { method: "POST" }); }', expected: ["net! send by arguments", "net send by arguments"] },
    { technique: "topic and messages, Bucket and Key", python: "def f(x):\n    x.upload(Bucket=b, Key=k)\n    x.send(topic=t, value=v)", typescript: "function f(x) { x.upload({ Bucket: b, Key: k }); x.send({ topic: t, messages: [] }); }", expected: [["cloud.write! x.upload by arguments", "queue! x.send by arguments"], ["cloud.write! x.upload by arguments", "queue! x.send by arguments"]] },
    { technique: "conventional names that are something else", python: "import queue, asyncio\nfrom starlette.requests import Request\nsession = {}\nsession.update(a)\nproducer = queue.Queue()\nproducer.put(m)\nchannel = asyncio.Queue()\nchannel.put(m)", typescript: 'const redis = new Map(); redis.set(k, v); redis.delete(k);\nconst channel = new BroadcastChannel("x"); channel.postMessage(m);\nimport { EventEmitter } from "node:events"; const bus = new EventEmitter(); bus.emit("x");\ncontroller.enqueue(x);', expected: [] },
    { technique: "routes of a web framework", python: 'from fastapi import FastAPI, APIRouter\napp = FastAPI()\nrouter = APIRouter()\n@app.post("/x")\ndef f(): pass\nrouter.delete("/x")(f)\napp.add_api_route("/x", f)', typescript: 'import express from "express"; import Fastify from "fastify"; import { Hono } from "hono";\nconst app = express(); app.post("/x", f); express.Router().delete("/x", f);\nFastify().post("/x", f); new Hono().put("/x", f);', expected: [] },
    { technique: "a passed-in fetch by its default", python: "import httpx\ndef f(post=httpx.post):\n    post(u)", typescript: "export function f(send = fetch) { send(u); }", expected: [["net! httpx.post"], ["net fetch"]] },
    { technique: "a regular expression, a stream and a cache", python: "import re\nre.compile('x').sub('a', b)\ncache.set(k, v)\ncache.delete(k)", typescript: "/x/.exec(s); stream.write(x); cache.set(k, v); cache.delete(k); mutate('/api/x');", expected: [] },
  ]);
});

describe("values", () => {
  runRows([
    { technique: "handed to a runner", python: "import asyncio, requests\nloop.run_in_executor(None, requests.post, u)\nasyncio.to_thread(requests.get, u)", typescript: 'import axios from "axios";\nlimit.run(axios.post, u);\nsetTimeout(axios.get, 5);', expected: [["net!^ requests.post", "net^ requests.get"], ["net!^ axios.post", "net^ axios.get"]] },
    { technique: "held in a table, an attribute or a client", python: "import requests\nHANDLERS = {'a': requests.post}\nclient = Client(send=requests.post)", typescript: 'import axios from "axios";\nconst handlers = { a: axios.post };\nnew Client({ fetch });', expected: [] },
    { technique: "wrapped, and called later", python: "import functools, requests\nsend = functools.partial(requests.post, u)\nsend()", typescript: 'import { promisify } from "node:util"; import { exec } from "node:child_process";\nconst run = promisify(exec);\nrun("ls");', expected: [["net! requests.post"], ["proc node:child_process.exec"]] },
  ]);
});

describe.each(["python", "ecmascript"] as const)("%s facts by hand", (language) => {
  test("a resolved write, its span and its receiver", () => {
    const facts = factsOf(language, (b) => {
      const module = b.import(language === "python" ? "httpx" : "axios");
      b.expression(b.call(b.member(module, "post"), [b.string("https://x.io/orders")]));
    });
    const [effect, ...others] = effectsOf(facts, contextOf()).own;
    expect(others).toEqual([]);
    expect(effect).toMatchObject({ capability: "net", writes: true, told: "resolved", call: 0, function: 0 });
    expect(effect?.span).toEqual(facts.calls[0]?.nameSpan);
    expect(facts.values[effect!.receiver!]?.kind).toBe("name");
  });

  test("the names of tools that the policy adds", () => {
    const facts = factsOf(language, (b) => {
      b.function("run", ["agent"], (agent) => { b.expression(b.call(b.member(agent, "perform"), [])); });
    });
    expect(effectsOf(facts, contextOf({ tools: ["perform"] })).own.map(spelled)).toEqual(["tool agent.perform by tail"]);
    expect(effectsOf(facts, contextOf()).own).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { effectsIn } from "./testing.ts";
import type { Language } from "./testing.ts";

/** Each statement on a line of its own after the set-up, and whether it writes. */
interface Table {
  readonly title: string;
  readonly python?: readonly [setup: string, reads: readonly string[], writes: readonly string[]];
  readonly typescript?: readonly [setup: string, reads: readonly string[], writes: readonly string[]];
}

const writes = (language: Language, source: string): boolean => effectsIn(language, source).effects.own.some((effect) => effect.writes);

const SESSION = "from sqlalchemy import select, update\nfrom sqlalchemy.orm import Session\ndb = Session(e)";
const HELPERS = `${SESSION}\ndef query(a):\n    q = select(User)\n    if a:\n        q = q.where(User.a == a)\n    return q\ndef change():\n    return update(User)\ndef pair():\n    return select(User), 3`;

const TABLES: readonly Table[] = [
  {
    title: "statements that helpers build",
    python: [HELPERS, ["db.execute(query(1))", "db.execute(query(1).limit(3))", "q, n = pair()\ndb.execute(q)", "def f(stmt: Select):\n    db.execute(stmt)", "def f(stmt: 'Select[int]'):\n    db.execute(stmt)", "def _page(stmt):\n    db.execute(stmt)\n_page(select(User))"],
      ["db.execute(change())", "db.execute(unknown())", "def f(stmt):\n    db.execute(stmt)", "def _page(stmt):\n    db.execute(stmt)\n_page(select(User))\n_page(change())"]],
  },
  { title: "sessions that read", python: [SESSION, ["db.refresh(x)", "db.scalars(q)", "db.scalar(q)", "db.get(User, 1)"], ["db.add(x)", "db.commit()", "db.merge(x)"]] },
  {
    title: "what is made or set up only",
    python: ["import fsspec, boto3\nfrom fsspec.implementations.local import LocalFileSystem\nfrom couchbase.search import SearchRequest", ['fsspec.filesystem("s3")', "LocalFileSystem()", "SearchRequest.create(q)", "boto3.Session().set_config(c)"], ['boto3.client("s3").put_object(Bucket=b, Key=k)']],
    typescript: ['import formidable from "formidable"; import type { Repository } from "typeorm"; let repo: Repository<User>;', ["formidable({});", "repo.create({});", 'repo.createQueryBuilder("x").getRawMany();'], ["repo.save(x);"]],
  },
  {
    title: "plain data that a client gave",
    python: ["import boto3, pymongo\nc = pymongo.MongoClient(u)\ns3 = boto3.client('s3')", ["row = c.a.b.find_one({}).copy()\nrow.update({})", 's3.thing()["uri"].replace("a", "b")', "s3.get_it().stderr.append(1)"], ["c.a.b.replace_one({}, {})"]],
    typescript: ['import { MongoClient } from "mongodb";\nconst c = new MongoClient(u);', ['c.db("a").thing()["uri"].replace("a", "b");'], ['c.db("a").collection("b").replaceOne({}, {});']],
  },
  {
    title: "commands that ask",
    python: ["import pymongo, redis\nm = pymongo.MongoClient(u)\nr = redis.Redis()", ['m.admin.command("ping")', 'm.db.command("collStats", "x")', 'm.db.command({"dbStats": 1})', 'r.execute_command("FT._LIST")'], ['m.db.command("dropDatabase")', "m.db.command(given)", 'm.db.command({**given, "ping": 1})', 'r.execute_command("FT.DROPINDEX", "x")']],
    typescript: ['import { MongoClient } from "mongodb"; import { STSClient, AssumeRoleCommand } from "@aws-sdk/client-sts"; import { S3Client, DeleteObjectCommand } from "@aws-sdk/client-s3";\nconst m = new MongoClient(u);', ['m.db("x").command({ ping: 1 });', "new STSClient({}).send(new AssumeRoleCommand({}));"], ['m.db("x").command({ drop: "x" });', "new S3Client({}).send(new DeleteObjectCommand({}));"]],
  },
  {
    title: "addresses that read",
    python: ["import requests", ['requests.post(f"{base}/api/show")', 'requests.post("https://x.io/v1/serp")', 'requests.post("https://x.io/v1/scrape")', 'requests.post("https://x.io/v1/document/parse")', 'requests.post("https://x.io/refund/search")'], ['requests.post("https://x.io/search/delete")', 'requests.post("https://x.io/show-tickets")', 'requests.post("https://x.io/parse/42")']],
    typescript: ['import axios from "axios";', ["axios.post(`${base}/api/show`);", 'axios.post("https://x.io/v1/serp");', 'axios.post("https://x.io/v1/document/parse");', 'axios.post("https://x.io/refund/search");'], ['axios.post("https://x.io/search/delete");', 'axios.post("https://x.io/parse/42");']],
  },
  {
    title: "grants, and addresses that private helpers are given",
    python: ["import requests", ['requests.post(u, data={"grant_type": "refresh_token"})', 'def _send(path):\n    requests.post(f"https://x.io{path}")\n_send("/login/device/code")\n_send("/v1/search")'], ['requests.post(u, data={"type": "x"})', 'def _send(path):\n    requests.post(f"https://x.io{path}")\n_send("/v1/search")\n_send("/orders")', 'def send(path):\n    requests.post(f"https://x.io{path}")\nsend("/v1/search")']],
    typescript: ["", ['fetch(u, { method: "POST", body: new URLSearchParams({ grant_type: "refresh_token" }) });', 'function send(path) { fetch(`https://x.io${path}`, { method: "POST" }); }\nsend("/v1/search");'], ['fetch(u, { method: "POST", body: new URLSearchParams({ type: "x" }) });', 'function send(path) { fetch(`https://x.io${path}`, { method: "POST" }); }\nsend("/v1/search"); send("/orders");', 'export function send(path) { fetch(`https://x.io${path}`, { method: "POST" }); }\nsend("/v1/search");']],
  },
  {
    title: "verbs that are members",
    python: ["import requests", ['requests.request(RequestMethod.GET, u)', "requests.request(method=HTTPMethod.HEAD, url=u)"], ["requests.request(RequestMethod.POST, u)", "requests.request(method=options.get, url=u)"]],
    typescript: ["", ["fetch(u, { method: HttpMethod.GET });"], ["fetch(u, { method: HttpMethod.POST });"]],
  },
  { title: "names that are given, or stand before", python: ["import boto3\nfrom blaxel.core import x\nc = boto3.client('lambda')", ['c.invoke(method="listFiles", params={})', "c.get_thing.sync(1)"], ['c.invoke(method="removeFiles")', "c.invoke(FunctionName=f)", "c.delete_thing.sync(1)"]] },
  { title: "text among options", typescript: ["function f(db) {", ["db.execute({ drizzle: db.drizzle, sql: sql`SELECT EXISTS (SELECT 1)` }); }", 'db.execute({ sql: "SELECT 1" }); }'], ["db.execute({ drizzle: db.drizzle, sql: sql`ALTER TABLE ${t} ADD COLUMN x INT` }); }", "db.execute({ sql: given }); }"]] },
  { title: "uploads that are set up", typescript: ['import multer from "multer";', ["const upload = multer({ storage: multer.memoryStorage() });"], []] },
  { title: "text that a query is built from", typescript: ['import knex from "knex";\nconst db = knex({});', ['db("t").select(db.raw("count(*)"));', 'db("t").where(db.raw(text));'], ["db.raw(text);", 'db("t").where(db.raw("x")).update({});']] },
  {
    title: "statements of Cassandra",
    python: ["from cassandra.cluster import Cluster\nsession = Cluster().connect()", ['session.execute("SELECT * FROM t")', 'session.execute(f"SELECT * FROM {t} WHERE id = %s", (1,))', 'q = session.prepare("SELECT * FROM t WHERE id = ?")\nsession.execute(q, (1,))', 'session.execute(SimpleStatement("SELECT * FROM t", fetch_size=10))', 'q = SimpleStatement(f"SELECT * FROM {t}")\nsession.execute(q)'],
      ['session.execute("DELETE FROM t")', 'q = session.prepare("INSERT INTO t (id) VALUES (?)")\nsession.execute(q, (1,))', "session.execute(SimpleStatement(text))", "session.execute(given)"]],
    typescript: ['import { Client } from "cassandra-driver";\nconst session = new Client({});', ['session.execute("SELECT * FROM t");', "session.execute(`SELECT * FROM ${t} WHERE id = ?`, [1]);"], ['session.execute("DELETE FROM t");', "session.execute(given);"]],
  },
  {
    title: "searches by POST",
    python: ["import requests", ['requests.post(f"{site}/rest/api/3/search/jql", json=b)', 'requests.post(f"https://{host}/services/{name}/query", json=b)', 'requests.post(base + "/_search", json=b)', 'requests.post("https://api.x.io/graphql", json={"query": "query { a }"})', 'requests.post("https://x.io/rest/search/approximate-count", json=b)'], ['requests.post("https://x.io/rest/search/jql/save")', 'requests.post("https://api.x.io/graphql", json={"query": "mutation { a }"})']],
    typescript: ["", ['fetch(`${site}/rest/api/3/search/jql`, { method: "POST" });', 'fetch(base + "/services/query", { method: "POST" });', 'fetch("https://api.x.io/graphql", { method: "POST", body: JSON.stringify({ query: "query { a }" }) });'], ['fetch("https://x.io/rest/search/jql/save", { method: "POST" });', 'fetch("https://api.x.io/graphql", { method: "POST", body: JSON.stringify({ query: "mutation { a }" }) });']],
  },
  {
    title: "requests that are built before",
    python: ["import requests, httpx\ns = requests.Session()\nc = httpx.Client()", ['s.send(requests.Request("GET", u).prepare())', 'r = requests.Request("GET", u)\np = s.prepare_request(r)\ns.send(p)', 'p = requests.Request(method="GET", url=u).prepare()\ns.send(p, timeout=3)', 'c.send(c.build_request("GET", u))', 'c.send(httpx.Request("GET", u))', 'r = c.build_request("POST", "https://x.io/v1/search")\nc.send(r)'],
      ['s.send(requests.Request("POST", u).prepare())', 'p = s.prepare_request(requests.Request("PUT", u))\ns.send(p)', 'r = c.build_request("POST", u)\nc.send(r)', "c.send(c.build_request(method, u))"]],
    typescript: ["", ['fetch(new Request(u, { method: "GET" }));', "const r = new Request(u);\nfetch(r);"], ['const r = new Request(u, { method: "DELETE" });\nfetch(r);', 'fetch(new Request(u, { method: "POST" }));']],
  },
  {
    title: "batches and scans of stores",
    python: ["import redis, valkey\nr = redis.Redis()\nv = valkey.Valkey()", ["r.scan(0, match=m, count=100)", "r.scan_iter(match=m)", 'r.execute_command("SCAN", 0)', "v.scan(0)", 'v.execute_command("SCAN", 0)'], ['r.execute_command("DEL", "x")', "v.delete(k)"]],
    typescript: ['import { Batch, GlideClient } from "@valkey/valkey-glide"; import Redis from "ioredis";\nconst g = await GlideClient.createClient({}); const r = new Redis();', ['g.scan("0");', 'g.customCommand(["SCAN", "0"]);', 'r.call("SCAN", "0");', 'const b = new Batch(false);', 'const b = new Batch(false).get("a").hgetall("b");\ng.exec(b, true);'], ['g.del(["a"]);', 'g.customCommand(["DEL", "a"]);', 'const b = new Batch(false).set("a", "b");\ng.exec(b, true);', "g.exec(given, true);", "const b = new Mine();\ng.exec(b, true);"]],
  },
  {
    title: "names that travel without a request",
    python: ["import dotenv", ["dotenv.load_dotenv()"], ['dotenv.set_key(".env", "A", "b")']],
    typescript: ['import { getCurrentRunTree } from "langsmith";\nimport dotenv from "dotenv";', ["getCurrentRunTree();", "dotenv.config();"], []],
  },
  {
    title: "statements that are only shown",
    python: ["import sqlalchemy\nfrom sqlalchemy import create_engine, create_mock_engine, text\nengine = create_engine(u)", ["create_mock_engine(u, print)"], ['engine.connect().execute(text("DROP TABLE a"))']],
    typescript: ['import { DataSource } from "typeorm";\nconst source = new DataSource({});', ["await source.driver.createSchemaBuilder().log();", "const builder = source.driver.createSchemaBuilder();"], ["await source.driver.createSchemaBuilder().build();", "await source.synchronize();"]],
  },
  { title: "tasks of every application", python: ["from celery import shared_task\n@shared_task\ndef add(x):\n    return x", ["add(1)"], ["add.delay(1)", "add.apply_async((1,))"]] },
];

describe.each(["python", "typescript"] as const)("%s", (language) => {
  for (const table of TABLES) {
    const [setup = "", reading = [], writing = []] = table[language] ?? [];
    test.each([...reading.map((line) => [line, false] as const), ...writing.map((line) => [line, true] as const)])(`${table.title}: %s`, (line, expected) => {
      expect(writes(language, `${setup}\n${line}`)).toBe(expected);
    });
  }
});

test("dropping a type is a change of the schema in a folder of migrations only", async () => {
  const { sqlOf } = await import("./statements.ts");
  const { facts } = effectsIn("python", 'a("DROP TYPE x", "drop extension y", "DROP the mic")');
  expect(facts.calls[0]!.arguments.map(({ value }) => sqlOf(facts, value))).toEqual(["write", "write", null]);
});

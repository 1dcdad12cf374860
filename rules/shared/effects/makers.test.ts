import { expect, test } from "vitest";
import { effectsIn } from "./testing.ts";
import type { Language } from "./testing.ts";

/** The line on which the only write of a source stands, and what it is. */
function writesIn(language: Language, source: string): readonly string[] {
  return effectsIn(language, source).effects.own.filter((effect) => effect.writes).map(({ capability, api }) => `${capability} ${api.split(".").at(-1) ?? ""}`);
}

/** A client as it is made, and a write on it. */
const MAKERS: readonly (readonly [language: Language, imports: string, maker: string, write: string, capability: string])[] = [
  ["typescript", 'import axios from "axios";', "axios.create({ baseURL })", "post(u, b)", "net"],
  ["typescript", 'import axios from "axios";', "axios.create()", "delete(u)", "net"],
  ["typescript", 'import got from "got";', "got.extend({})", "post(u)", "net"],
  ["typescript", 'import ky from "ky";', "ky.create({})", "put(u)", "net"],
  ["typescript", 'import ky from "ky";', "ky.extend({})", "patch(u)", "net"],
  ["typescript", 'import superagent from "superagent";', "superagent.agent()", "post(u)", "net"],
  ["typescript", 'import Stripe from "stripe";', "new Stripe(k)", "refunds.create({})", "pay"],
  ["typescript", 'import { createClient } from "@supabase/supabase-js";', "createClient(a, b)", 'from("t").insert({})', "db.write"],
  ["typescript", 'import { PrismaClient } from "@prisma/client";', "new PrismaClient()", "user.create({})", "db.write"],
  ["typescript", 'import { MongoClient } from "mongodb";', "new MongoClient(u)", 'db("x").collection("y").insertOne({})', "db.write"],
  ["typescript", 'import knex from "knex";', "knex({})", "insert(row)", "db.write"],
  ["typescript", 'import { S3 } from "@aws-sdk/client-s3";', "new S3({})", "putObject({})", "cloud.write"],
  ["typescript", 'import { Octokit } from "@octokit/rest";', "new Octokit()", "issues.create({})", "cloud.write"],
  ["python", "import requests", "requests.Session()", "post(u)", "net"],
  ["python", "import requests", "requests.session()", "delete(u)", "net"],
  ["python", "import httpx", "httpx.Client()", "post(u)", "net"],
  ["python", "import httpx", "httpx.AsyncClient(base_url=b)", "patch(u)", "net"],
  ["python", "import aiohttp", "aiohttp.ClientSession()", "post(u)", "net"],
  ["python", "import boto3", 'boto3.client("s3")', "put_object(Bucket=b, Key=k)", "cloud.write"],
  ["python", "import boto3", 'boto3.Session().resource("dynamodb").Table("x")', "put_item(Item=i)", "cloud.write"],
  ["python", "import redis", "redis.from_url(u)", 'delete("a")', "db.write"],
  ["python", "import pymongo", 'pymongo.MongoClient(u)["a"]["b"]', "insert_one({})", "db.write"],
  ["python", "from supabase import create_client", "create_client(a, b)", 'table("t").insert({})', "db.write"],
  ["python", "from github import Github", "Github(t)", 'get_repo("a/b").create_issue(title=t)', "cloud.write"],
  ["python", "from google.cloud import storage", "storage.Client()", 'bucket("x").blob("y").upload_from_string("z")', "cloud.write"],
  ["python", "from twilio.rest import Client", "Client(a, b)", "messages.create(to=t)", "notify"],
];

test.each(MAKERS)("%s: %s %s", (language, imports, maker, write, capability) => {
  const name = (write.replace(/\([^()]*\)$/, "").split(".").at(-1) ?? "").replace(/.*\./, "");
  const expected = [`${capability} ${name}`];
  const isPython = language === "python";
  const end = isPython ? "" : ";";
  const inClass = isPython
    ? `class A:\n    def __init__(self):\n        self.client = ${maker}\n    def run(self):\n        self.client.${write}`
    : `class A { constructor() { this.client = ${maker}; } run() { this.client.${write}; } }`;
  const inHelper = isPython ? `def made():\n    return ${maker}\nmade().${write}` : `function made() { return ${maker}; }\nmade().${write};`;
  expect(writesIn(language, `${imports}\n${maker}.${write}${end}`)).toEqual(expected);
  expect(writesIn(language, `${imports}\n${isPython ? "" : "const "}client = ${maker}${end}\nclient.${write}${end}`)).toEqual(expected);
  expect(writesIn(language, `${imports}\n${inClass}`)).toEqual(expected);
  expect(writesIn(language, `${imports}\n${inHelper}`)).toEqual(expected);
});

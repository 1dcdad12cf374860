import { describe, expect, it, test } from "vitest";
import { classify } from "./classify.ts";
import { call, ecmascript, ofEcmascript, ofPython, python } from "./testing.ts";

const PYPI: readonly (readonly [name: string, expected: string])[] = [
  ["requests", "net"], ["requests.get", "net"], ["requests.exceptions.Timeout", "pure"], ["requests.RequestException", "pure"],
  ["requests.Session.post", "net"], ["requests.codes", "pure"], ["requests.auth.HTTPBasicAuth", "pure"],
  ["httpx", "net"], ["httpx.Client.post", "net"], ["httpx.Timeout", "pure"], ["httpx.HTTPError", "pure"], ["httpx.URL", "pure"],
  ["aiohttp.ClientSession", "net"], ["aiohttp.ClientError", "pure"], ["aiohttp.ClientTimeout", "pure"], ["aiohttp.web.run_app", "net"],
  ["urllib3.util.retry.Retry", "pure"], ["urllib3.PoolManager", "net"], ["websockets.connect", "net"],
  ["flask.Flask", "net"], ["flask.request", "pure"], ["fastapi.FastAPI", "net"], ["fastapi.HTTPException", "pure"], ["fastapi.responses.JSONResponse", "pure"],
  ["uvicorn.run", "net"], ["starlette.requests.Request", "pure"], ["django.db.transaction.atomic", "db.write"], ["django.http.HttpResponse", "pure"],
  ["django.core.mail.send_mail", "mail"], ["grpc.StatusCode", "pure"], ["grpc.insecure_channel", "net"], ["bs4.BeautifulSoup", "pure"],
  ["redis.Redis", "db.write"], ["redis.Redis.get", "db.read"], ["redis.Redis.set", "db.write"], ["redis.Redis.publish", "queue"], ["redis.RedisError", "pure"],
  ["pymongo.MongoClient.db.users.find_one", "db.read"], ["pymongo.MongoClient.db.users.insert_one", "db.write"], ["pymongo.MongoClient.db.errors.insert_one", "db.write"],
  ["pymongo.errors.DuplicateKeyError", "pure"], ["psycopg2.connect", "db.write"], ["psycopg2.connect.cursor.fetchall", "db.read"],
  ["sqlalchemy.Column", "pure"], ["sqlalchemy.create_engine", "db.write"], ["sqlalchemy.orm.Session.query", "db.read"], ["sqlalchemy.orm.Session.commit", "db.write"],
  ["sqlalchemy.orm.declarative_base", "pure"], ["boto3.client", "cloud.write"], ["boto3.client.get_object", "cloud.read"], ["boto3.client.put_object", "cloud.write"],
  ["boto3.client.list_objects_v2", "cloud.read"], ["boto3.client.get_paginator.paginate", "cloud.read"], ["botocore.exceptions.ClientError", "pure"], ["botocore.config.Config", "pure"],
  ["google.cloud.storage.Client", "cloud.write"], ["google.cloud.storage.Client.list_blobs", "cloud.read"], ["google.cloud.pubsub_v1.PublisherClient", "queue"],
  ["google.cloud", "pure"], ["google.protobuf.message.Message", "pure"], ["azure.identity.DefaultAzureCredential", "net"], ["azure.storage.blob.BlobServiceClient", "cloud.write"],
  ["azure.mgmt.compute.ComputeManagementClient", "cloud.write"], ["azure.core.exceptions.HttpResponseError", "pure"], ["github.Github.get_repo.create_issue", "cloud.write"],
  ["github.Github.get_repo", "cloud.read"], ["kafka.KafkaProducer", "queue"], ["celery.Celery", "queue"], ["celery.shared_task", "pure"], ["pika.BlockingConnection", "queue"],
  ["sendgrid.SendGridAPIClient", "mail"], ["slack_sdk.WebClient", "notify"], ["slack_sdk.errors.SlackApiError", "pure"], ["twilio.rest.Client", "notify"],
  ["telegram.Update", "pure"], ["stripe.Refund.create", "pay"], ["stripe.error.CardError", "pure"], ["openai.OpenAI", "model"], ["openai.types.chat.ChatCompletion", "pure"],
  ["openai.RateLimitError", "pure"], ["anthropic.Anthropic.messages.create", "model"], ["google.genai.Client", "model"], ["google.genai.types.Part", "pure"],
  ["litellm.completion", "model"], ["langchain_openai.ChatOpenAI", "model"], ["langchain_core.messages.HumanMessage", "pure"], ["langchain_community.vectorstores.FAISS", "db.write"],
  ["llama_index.llms.openai.OpenAI", "model"], ["ollama.chat", "model"], ["mcp.ClientSession.call_tool", "tool"], ["mcp.ClientSession", "tool"], ["mcp.stdio_client", "proc"],
  ["mcp.types.Tool", "pure"], ["mcp.server.fastmcp.FastMCP", "net"], ["pexpect.spawn", "proc"], ["sh.ls", "proc"], ["psutil.cpu_percent", "pure"], ["psutil.Process.kill", "proc"],
  ["pip._internal.cli.main.main", "proc net"], ["pip._internal.utils.subprocess.call_subprocess", "proc"], ["pip._vendor.packaging.utils.canonicalize_name", "pure"], ["pip._internal.req.InstallRequirement.name.lower", "pure"],
  ["git.Repo.clone_from", "proc fs.write"], ["git.InvalidGitRepositoryError", "pure"], ["dotenv.load_dotenv", "fs.read env.write"], ["pydantic_settings.BaseSettings", "env.read"],
  ["pydantic.BaseModel", "pure"], ["numpy.array", "pure"], ["numpy.save", "fs.write"], ["pandas.DataFrame", "pure"], ["pandas.read_csv", "fs.read"], ["pandas.read_pickle", "code fs.read"],
  ["pandas.DataFrame.to_parquet", "fs.write"], ["PIL.Image.open", "fs.read"], ["PIL.Image.open.save", "fs.write"], ["cffi.FFI", "native"], ["dill.loads", "code"], ["yaml.safe_load", "pure"],
  ["torch.Tensor", "pure"], ["transformers.AutoModel.from_pretrained", "net"], ["huggingface_hub.snapshot_download", "net fs.write"], ["huggingface_hub.InferenceClient", "model"],
  ["setuptools.setup", "proc"], ["pkg_resources.parse_version", "pure"], ["typing_extensions.Literal", "pure"], ["attrs.define", "pure"], ["tenacity.retry", "pure"],
  ["airflow.providers.http.hooks.http.HttpHook", "net"], ["opentelemetry.trace.get_tracer", "pure"], ["opentelemetry.exporter.otlp.proto.http", "net"],
];

const NPM: readonly (readonly [name: string, expected: string])[] = [
  ["axios", "net"], ["axios.default.post", "net"], ["axios.isAxiosError", "pure"], ["axios.AxiosError", "pure"], ["axios/lib/core.x", "net"],
  ["node-fetch", "net"], ["undici.fetch", "net"], ["undici.Agent", "pure"], ["ws", "net"], ["ws.WebSocket.OPEN", "pure"], ["express", "net"], ["express.json", "pure"],
  ["express.Router", "net"], ["fastify", "net"], ["hono.Hono", "net"], ["socket.io#Server", "net"], ["pg.Pool", "db.write"], ["pg.types", "pure"],
  ["ioredis.default.get", "db.read"], ["ioredis.Redis.set", "db.write"], ["mongodb.MongoClient.db.collection.find", "db.read"], ["mongodb.ObjectId", "pure"],
  ["mongoose.Schema", "pure"], ["mongoose.connect", "db.write"], ["@prisma/client.PrismaClient", "db.write"], ["@prisma/client.PrismaClient.user.findMany", "db.read"],
  ["@prisma/client.PrismaClient.user.create", "db.write"], ["@prisma/client.Prisma", "pure"], ["drizzle-orm.eq", "pure"], ["drizzle-orm/node-postgres.drizzle", "db.write"],
  ["drizzle-orm/node-postgres.drizzle.select.from", "db.read"], ["better-sqlite3.default.prepare.all", "db.read"], ["@aws-sdk/client-s3.S3Client", "cloud.write"],
  ["@aws-sdk/client-s3.GetObjectCommand", "cloud.read"], ["@aws-sdk/client-s3.PutObjectCommand", "cloud.write"], ["@aws-sdk/client-s3.S3ServiceException", "pure"],
  ["@aws-sdk/client-unheard-of.X", "cloud.write"], ["@aws-sdk/client-sqs.SQSClient", "queue"], ["@aws-sdk/client-bedrock-runtime.ConverseCommand", "model"],
  ["@google-cloud/storage.Storage", "cloud.write"], ["@azure/identity.DefaultAzureCredential", "net"], ["@octokit/rest.Octokit.issues.create", "cloud.write"],
  ["@octokit/rest.Octokit.issues.list", "cloud.read"], ["kafkajs.Kafka", "queue"], ["kafkajs.logLevel", "pure"], ["bullmq.Queue", "queue"], ["nodemailer.createTransport", "mail"],
  ["@slack/web-api.WebClient", "notify"], ["@slack/web-api.ErrorCode", "pure"], ["discord.js#Client", "notify"], ["stripe.default.refunds.create", "pay"],
  ["openai.default", "model"], ["openai.APIError", "pure"], ["openai/helpers/zod.zodResponseFormat", "pure"], ["@anthropic-ai/sdk.default.messages.create", "model"],
  ["ai.generateText", "model"], ["ai.tool", "pure"], ["@ai-sdk/openai.openai", "model"], ["@ai-sdk/provider.APICallError", "pure"], ["@google/genai.GoogleGenAI", "model"],
  ["@langchain/openai.ChatOpenAI", "model"], ["@langchain/core/messages.HumanMessage", "pure"], ["@modelcontextprotocol/sdk/client/index.js#Client", "tool"],
  ["@modelcontextprotocol/client.Client.callTool", "tool"], ["@modelcontextprotocol/client.StreamableHTTPClientTransport", "net"], ["@modelcontextprotocol/client.discoverOAuthMetadata", "net"],
  ["@modelcontextprotocol/client.LATEST_PROTOCOL_VERSION", "pure"], ["@modelcontextprotocol/client.UnauthorizedError", "pure"], ["@modelcontextprotocol/client.InMemoryTransport", "pure"],
  ["@modelcontextprotocol/client/stdio#StdioClientTransport", "proc"], ["@modelcontextprotocol/client/stdio#getDefaultEnvironment", "pure"], ["@modelcontextprotocol/sdk/client/stdio.js#StdioClientTransport", "proc"],
  ["@modelcontextprotocol/client/validators/ajv#AjvJsonSchemaValidator", "pure"], ["@modelcontextprotocol/core.CallToolResultSchema", "pure"], ["@modelcontextprotocol/unheard-of.X", "net"],
  ["@modelcontextprotocol/sdk/types.js#CallToolResult", "pure"], ["execa.execa", "proc"], ["zx.$", "proc"], ["simple-git", "proc"], ["fs-extra.readJson", "fs.read"], ["fs-extra.remove", "fs.delete"], ["fs-extra.default.outputFile", "fs.write"],
  ["fs-extra.writeFile", "fs.write"], ["rimraf", "fs.delete"], ["glob.glob", "fs.read"], ["dotenv.config", "fs.read env.write"], ["dotenv.parse", "pure"],
  ["vm2.VM", "code"], ["node-pty.spawn", "proc"], ["puppeteer.launch", "net proc"], ["lodash.merge", "pure"], ["zod.z", "pure"], ["react.useState", "pure"],
  ["typescript.createProgram", "pure"], ["chalk", "pure"], ["@types/node", "pure"], ["@radix-ui/react-slot.Slot", "pure"], ["vite.build", "net fs.write"], ["vite.defineConfig", "pure"],
];

describe("packages", () => {
  it.each(PYPI)("python %s is %s", (name, expected) => {
    expect(ofPython(name)).toBe(expected);
  });
  it.each(NPM)("npm %s is %s", (name, expected) => {
    expect(ofEcmascript(name)).toBe(expected);
  });
});

describe("roots of packages", () => {
  test.each([
    ["python", python("google.cloud.storage.Client"), "google.cloud.storage"],
    ["python", python("azure.storage.blob.BlobServiceClient"), "azure.storage.blob"],
    ["python", python("azure.identity.DefaultAzureCredential"), "azure.identity"],
    ["python", python("azure.mgmt.compute.X"), "azure.mgmt.compute"],
    ["python", python("django.core.mail.send_mail"), "django"],
    ["python", python("requests.get"), "requests"],
    ["python", python("snowflake.connector.connect"), "snowflake.connector"],
    ["ecmascript", ecmascript("@aws-sdk/client-s3.S3Client"), "@aws-sdk/client-s3"],
    ["ecmascript", ecmascript("firebase-admin/firestore.getFirestore"), "firebase-admin"],
    ["ecmascript", ecmascript("axios.post"), "axios"],
  ] as const)("%s %o", (language, reference, root) => {
    expect(classify(language, reference)).toMatchObject({ kind: "capability", root });
  });
});

test("a client whose members decide by their verb says so until one of them tells", () => {
  expect(classify("python", python("redis.Redis"))).toMatchObject({ capabilities: ["db.write"], byVerb: true });
  expect(classify("python", python("sqlalchemy.create_engine"))).toMatchObject({ capabilities: ["db.write"], byVerb: true });
  expect(classify("python", python("redis.Redis.set"))).not.toHaveProperty("byVerb");
});

describe("arguments of packages", () => {
  test("yaml.load is code but for a safe loader", () => {
    const loader = (name: string) => ({ constants: () => null, references: () => [python(`yaml.${name}`)] });
    expect(ofPython("yaml.load", loader("SafeLoader"))).toBe("pure");
    expect(ofPython("yaml.load", loader("UnsafeLoader"))).toBe("code");
    expect(ofPython("yaml.load", call(["x"]))).toBe("code");
  });
  test("a route is what its verb is, a GraphQL document what it begins with", () => {
    const request = (text: string | null): string => ofEcmascript("@octokit/rest.Octokit.request", call([text]));
    expect([request("GET /repos/{owner}/{repo}"), request("POST /repos/{owner}/{repo}/issues"), request(null)]).toEqual(["cloud.read", "cloud.write", "cloud.write"]);
    const graphql = (text: string): string => ofEcmascript("@octokit/rest.Octokit.graphql", call([text]));
    expect([graphql("query ($n: Int!) { viewer { login } }"), graphql("{ viewer { login } }"), graphql("mutation { addStar }")]).toEqual(["cloud.read", "cloud.read", "cloud.write"]);
    expect(graphql("query a { b } mutation c { d }")).toBe("cloud.write");
  });
  test("a Cypher statement reads where it only matches", () => {
    const run = (text: string | null): string => ofPython("neo4j.GraphDatabase.driver.session.run", call([text]));
    expect([run("MATCH (n) RETURN n"), run("MATCH (n) SET n.x = 1"), run("CREATE (n)"), run("CALL db.labels()"), run(null)]).toEqual(["db.read", "db.write", "db.write", "db.write", "db.write"]);
  });
  test("torch.load runs code unless it only takes weights", () => {
    expect(ofPython("torch.load", call(["x"], { weights_only: true }))).toBe("fs.read");
    expect(ofPython("torch.load", call(["x"]))).toBe("fs.read code");
  });
  test("to_csv writes where a path is given", () => {
    expect(ofPython("pandas.DataFrame.to_csv", call())).toBe("pure");
    expect(ofPython("pandas.DataFrame.to_csv", call(["x.csv"]))).toBe("fs.write");
  });
  test("a logger's sink is a file where it is text", () => {
    expect(ofPython("loguru.logger.add", call(["app.log"]))).toBe("fs.write");
    expect(ofPython("loguru.logger.add", call([null]))).toBe("pure");
  });
  test("aiofiles by its mode", () => {
    expect(ofPython("aiofiles.open", call(["x", "w"]))).toBe("fs.write");
    expect(ofPython("aiofiles.open", call(["x"]))).toBe("fs.read");
  });
  test("a logger that writes to standard output is none that writes a file", () => {
    expect(["pino", "pino.default", "pino.multistream"].map((api) => ofEcmascript(api, call([])))).toEqual(["pure", "pure", "pure"]);
    expect(["pino.destination", "pino.default.destination"].map((api) => ofEcmascript(api, call(["x.log"])))).toEqual(["fs.write", "fs.write"]);
    expect([ofEcmascript("pino.destination", call([1])), ofEcmascript("pino.destination", call([null]))]).toEqual(["pure", "fs.write"]);
  });
});

test("what a package offers beside its main entry is told apart from it", () => {
  expect(ofEcmascript("next.default", call([]))).toBe("net");
  expect(["next/image.default", "next/link.default", "next/dynamic.default", "next/font/google.Inter"].map((api) => ofEcmascript(api, call([])))).toEqual(["pure", "pure", "pure", "pure"]);
});

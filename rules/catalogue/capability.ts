/** Every capability of the table in docs/capabilities.md. */
export const CAPABILITIES = [
  "net", "proc", "fs.read", "fs.write", "fs.delete", "env.read", "env.write", "db.read", "db.write",
  "cloud.read", "cloud.write", "queue", "mail", "notify", "pay", "model", "tool", "native", "code", "opaque",
] as const;

export type Capability = (typeof CAPABILITIES)[number];

/** One addition to the catalogue from `capabilities:` in agentgate.yml. */
export interface CapabilityEntry {
  /** Dotted API name, without `node:`: `acme_sdk.charges.create`. */
  readonly api: string;
  readonly capability: Capability | "pure";
}

/** One row of the table of capabilities, as shown to people. */
export interface CapabilityRow {
  readonly capability: Capability;
  readonly meaning: string;
  readonly python: readonly string[];
  readonly ecmascript: readonly string[];
}

/** What each capability means, with APIs of both languages that have it. Every example classifies as its row says. */
export const capabilityTable: readonly CapabilityRow[] = [
  row("net", "talks or listens on a network", "httpx requests aiohttp urllib.request socket", "fetch WebSocket axios undici node:http"),
  row("proc", "starts a process or a shell, or signals another one", "subprocess os.system os.kill pexpect", "node:child_process execa Bun.spawn Deno.Command"),
  row("fs.read", "reads files or asks about them", "os.path.exists pathlib.Path.read_text glob.glob", "node:fs.readFile Deno.readTextFile"),
  row("fs.write", "creates or changes files and folders", "pathlib.Path.write_text os.mkdir tempfile.mkdtemp logging.FileHandler", "node:fs.writeFile Bun.write Deno.writeFile"),
  row("fs.delete", "deletes files and folders", "os.remove shutil.rmtree pathlib.Path.unlink", "node:fs.rm rimraf Deno.remove"),
  row("env.read", "reads the environment", "os.environ os.getenv", "process.env import.meta.env Deno.env"),
  row("env.write", "changes the environment", "os.putenv dotenv.load_dotenv", "dotenv.config Deno.env.set"),
  row("db.read", "reads from a database", "psycopg.connect.fetchall redis.Redis.get", "mongodb.MongoClient.find ioredis.get"),
  row("db.write", "writes to a database, or may", "psycopg sqlite3 sqlalchemy.create_engine pymongo", "pg mongoose ioredis node:sqlite"),
  row("cloud.read", "reads from a cloud service or a code host", "boto3.client.get_object google.cloud.storage.Client.list_blobs", "@aws-sdk/client-s3.GetObjectCommand"),
  row("cloud.write", "changes a cloud service or a code host, or may", "boto3 google.cloud.storage github", "@aws-sdk/client-s3 @google-cloud/storage @octokit/rest"),
  row("queue", "publishes to a queue or a topic", "kafka pika celery", "kafkajs bullmq amqplib"),
  row("mail", "sends mail", "smtplib sendgrid", "nodemailer @sendgrid/mail"),
  row("notify", "pages somebody or writes to a chat", "slack_sdk twilio telegram", "@slack/web-api twilio telegraf"),
  row("pay", "moves money", "stripe braintree", "stripe braintree"),
  row("model", "calls a model provider", "openai anthropic google.genai litellm", "openai @anthropic-ai/sdk ai.generateText"),
  row("tool", "dispatches an agent's tool", "mcp.ClientSession.call_tool", "@modelcontextprotocol/sdk/client.Client.callTool"),
  row("native", "leaves the language's runtime", "ctypes cffi mmap", "process.dlopen node:ffi WebAssembly.instantiate"),
  row("code", "runs text or data as code", "eval pickle.loads runpy", "eval node:vm Function"),
  row("opaque", "cannot be resolved by reading", "importlib.reload", "node:module.createRequire"),
];

function row(capability: Capability, meaning: string, python: string, ecmascript: string): CapabilityRow {
  return { capability, meaning, python: python.split(" "), ecmascript: ecmascript.split(" ") };
}

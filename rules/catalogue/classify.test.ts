import { describe, expect, it, test } from "vitest";
import { asWritten, classify, isException, isPureMember } from "./classify.ts";
import { call, ecmascript, ofEcmascript, ofGlobal, ofPython, python, shown } from "./testing.ts";

const LIBRARY: readonly (readonly [name: string, expected: string])[] = [
  ["os.path.join", "pure"], ["os.path.exists", "fs.read"], ["os.path.expandvars", "env.read"], ["posixpath.join", "pure"],
  ["os.system", "proc"], ["posix.system", "proc"], ["os.remove", "fs.delete"], ["os.environ", "env.read"],
  ["os.environ.HOME", "env.read"], ["os.environ.update", "env.write"], ["os.kill", "proc"], ["os.execvp", "proc"],
  ["os.getpid", "pure"], ["os.sep", "pure"], ["os.makedirs", "fs.write"], ["os.write", "pure"],
  ["shutil.rmtree", "fs.delete"], ["shutil.which", "fs.read"], ["shutil.copy", "fs.read fs.write"], ["shutil.get_terminal_size", "pure"],
  ["pathlib.Path", "pure"], ["pathlib.Path.write_text", "fs.write"], ["pathlib.Path.unlink", "fs.delete"],
  ["pathlib.Path.parent.joinpath.unlink", "fs.delete"], ["pathlib.Path.read_text", "fs.read"], ["pathlib.Path.name.replace", "pure"],
  ["pathlib.Path.read_text.replace", "pure"], ["pathlib.Path.replace", "fs.write"], ["pathlib.PurePath", "pure"],
  ["urllib.parse", "pure"], ["urllib.parse.quote", "pure"], ["urllib.request", "net"], ["urllib.request.urlopen", "net"],
  ["urllib.request.Request", "pure"], ["urllib.error.HTTPError", "pure"], ["urllib2.urlopen", "net"], ["httplib", "net"],
  ["http.HTTPStatus", "pure"], ["http.client", "net"], ["http.client.HTTPException", "pure"], ["http.server.HTTPServer", "net"],
  ["socket.AF_INET", "pure"], ["socket.inet_aton", "pure"], ["socket.socket", "net"], ["socket.timeout", "pure"], ["socket.socket.connect", "net"],
  ["ssl.CERT_NONE", "pure"], ["ssl.create_default_context", "pure"], ["ssl.wrap_socket", "net"], ["ssl.SSLError", "pure"],
  ["ftplib.FTP", "net"], ["smtplib.SMTP_SSL", "mail"], ["smtplib.SMTPException", "pure"],
  ["subprocess", "proc"], ["subprocess.PIPE", "pure"], ["subprocess.CalledProcessError", "pure"], ["subprocess.run", "proc"],
  ["subprocess.run.stdout.splitlines", "proc"], ["commands.getoutput", "proc"], ["popen2.popen3", "proc"],
  ["multiprocessing.cpu_count", "pure"], ["multiprocessing.Process", "proc"], ["multiprocessing.get_context.Process", "proc"],
  ["multiprocessing.get_context", "pure"], ["concurrent.futures.ThreadPoolExecutor", "pure"], ["concurrent.futures.ProcessPoolExecutor", "proc"],
  ["asyncio.sleep", "pure"], ["asyncio.open_connection", "net"], ["asyncio.create_subprocess_exec", "proc"],
  ["asyncio.get_running_loop.create_connection", "net"], ["asyncio.get_running_loop.run_in_executor", "pure"], ["asyncio.subprocess.PIPE", "pure"],
  ["logging.getLogger", "pure"], ["logging.FileHandler", "fs.write"], ["logging.handlers.HTTPHandler", "net"],
  ["logging.handlers.SMTPHandler", "mail"], ["logging.handlers.QueueHandler", "pure"], ["logging.config.dictConfig", "pure"],
  ["tempfile.mkdtemp", "fs.write"], ["tempfile.gettempdir", "pure"], ["glob.glob", "fs.read"], ["glob.escape", "pure"],
  ["pickle.loads", "code"], ["pickle.dumps", "pure"], ["cPickle.loads", "code"], ["marshal.loads", "code"], ["shelve.open", "fs.write"],
  ["runpy.run_path", "code"], ["importlib.resources.files", "fs.read"], ["importlib.metadata.version", "fs.read"],
  ["importlib.metadata.entry_points.load", "code"], ["importlib.util.find_spec", "pure"], ["importlib.util.spec_from_file_location", "code"],
  ["ctypes.CDLL", "native"], ["ctypes.c_int", "pure"], ["ctypes.Structure", "pure"], ["mmap.mmap", "native"],
  ["sqlite3.connect", "db.write"], ["sqlite3.Row", "pure"], ["sqlite3.OperationalError", "pure"], ["sqlite3.connect.execute.fetchall", "db.read"],
  ["webbrowser.open", "proc"], ["signal.SIGTERM", "pure"], ["zipfile.ZipFile.extractall", "fs.write"], ["json.loads", "pure"],
  ["email.mime.text.MIMEText", "pure"], ["xml.etree.ElementTree.fromstring", "pure"], ["xml.etree.ElementTree.parse", "fs.read"],
  ["xmlrpc.client.ServerProxy", "net"], ["distutils.version.LooseVersion", "pure"], ["imp.load_source", "code"],
  ["builtins.exec", "code"], ["builtins.eval", "code"], ["builtins.len", "pure"], ["builtins.input", "pure"], ["builtins.breakpoint", "code"],
  ["__builtin__.execfile", "code"], ["builtins.ValueError", "pure"],
];

const NODE: readonly (readonly [name: string, expected: string])[] = [
  ["fs.readFileSync", "fs.read"], ["node:fs.readFile", "fs.read"], ["fs/promises.writeFile", "fs.write"], ["node:fs/promises.rm", "fs.delete"],
  ["fs.promises.unlink", "fs.delete"], ["fs.default.mkdirSync", "fs.write"], ["fs.constants.O_RDONLY", "pure"], ["fs.writeSync", "pure"],
  ["fs.copyFileSync", "fs.read fs.write"], ["fs.createWriteStream", "fs.write"], ["fs.readFileSync.replace", "pure"],
  ["fs.promises.open.writeFile", "fs.write"], ["path.join", "pure"], ["node:path/posix.join", "pure"], ["os.tmpdir", "pure"],
  ["child_process.exec", "proc"], ["node:child_process.exec", "proc"], ["child_process.ChildProcess", "pure"], ["worker_threads.parentPort", "pure"],
  ["http.STATUS_CODES", "pure"], ["https.request", "net"], ["http2.constants.HTTP2_HEADER_PATH", "pure"], ["http.createServer", "net"],
  ["net.isIP", "pure"], ["net.connect", "net"], ["tls.checkServerIdentity", "pure"], ["dns.lookup", "net"], ["dns/promises.resolve", "net"],
  ["vm.runInNewContext", "code"], ["vm.isContext", "pure"], ["inspector.Session", "code"], ["inspector/promises.Session", "code"],
  ["process.env", "env.read"], ["process.env.HOME", "env.read"], ["process.dlopen", "native"], ["process.kill", "proc"], ["node:process.exit", "pure"],
  ["wasi.WASI", "native"], ["node:sqlite.DatabaseSync", "db.write"], ["node:test.describe", "pure"], ["node:test.run", "proc"],
  ["node:sea.getAsset", "pure"], ["node:ffi.dlopen", "native"], ["module.createRequire", "opaque"], ["module.builtinModules", "pure"],
  ["timers/promises.setTimeout", "pure"], ["crypto.randomUUID", "pure"], ["url.URL", "pure"], ["stream.Readable", "pure"],
  ["bun.spawn", "proc"], ["bun:sqlite.Database", "db.write"], ["bun:ffi.dlopen", "native"],
  ["./local", "unclassified"], ["#internal/x", "unclassified"],
];

const GLOBALS: readonly (readonly [name: string, expected: string])[] = [
  ["fetch", "net"], ["$", "pure"], ["jQuery", "pure"], ["$.ajax", "net"], ["jQuery.globalEval", "code"], ["window.fetch", "net"], ["globalThis.fetch", "net"], ["XMLHttpRequest", "net"], ["WebSocket", "net"], ["WebSocket.OPEN", "pure"],
  ["EventSource", "net"], ["navigator.sendBeacon", "net"], ["navigator.userAgent", "pure"], ["eval", "code"], ["Function", "code"],
  ["Function.prototype.call", "pure"], ["WebAssembly.instantiate", "native"], ["WebAssembly.Memory", "pure"], ["localStorage.setItem", "pure"],
  ["document.write", "code"], ["document.querySelector", "pure"], ["import.meta.env.MODE", "env.read"], ["import.meta.url", "pure"], ["import", "pure"],
  ["process.env.X", "env.read"], ["process.argv", "pure"], ["process.binding", "native"], ["Bun.write", "fs.write"], ["Bun.spawn", "proc"], ["Bun.env.X", "env.read"],
  ["Bun.file", "fs.read"], ["Bun.file.delete", "fs.delete"], ["Deno.readTextFile", "fs.read"], ["Deno.readTextFileSync", "fs.read"],
  ["Deno.Command", "proc"], ["Deno.env.get", "env.read"], ["Deno.env.set", "env.write"], ["Deno.remove", "fs.delete"],
  ["console.log", "pure"], ["Map", "pure"], ["URL", "pure"], ["request", "pure"], ["constructor", "pure"], ["__proto__", "pure"], ["$.ajax", "net"],
];

describe("standard libraries", () => {
  it.each(LIBRARY)("python %s is %s", (name, expected) => {
    expect(ofPython(name)).toBe(expected);
  });
  it.each(NODE)("node %s is %s", (name, expected) => {
    expect(ofEcmascript(name)).toBe(expected);
  });
  it.each(GLOBALS)("global %s is %s", (name, expected) => {
    expect(ofGlobal(name)).toBe(expected);
  });
});

describe("arguments", () => {
  test("open is judged by its mode", () => {
    expect(ofPython("builtins.open", call(["x"]))).toBe("fs.read");
    expect(ofPython("builtins.open", call(["x", "rb"]))).toBe("fs.read");
    expect(ofPython("builtins.open", call(["x"], { mode: "a" }))).toBe("fs.write");
    expect(ofPython("builtins.open", call(["x", "r+"]))).toBe("fs.write");
    expect(ofPython("builtins.open", call(["x", null]))).toBe("fs.write");
    expect(ofPython("io.open", call(["x", "w"]))).toBe("fs.write");
    expect(ofPython("pathlib.Path.open", call(["w"]))).toBe("fs.write");
    expect(ofPython("pathlib.Path.open", call())).toBe("fs.read");
    expect(ofPython("tarfile.open", call(["x", "r:xz"]))).toBe("fs.read");
    expect(ofPython("zipfile.ZipFile", call(["x", "w"]))).toBe("fs.write");
  });
  test("a member of an opened file does not ask the member's own arguments", () => {
    expect(ofPython("builtins.open.close", call(["w", "w"]))).toBe("pure");
    expect(ofPython("builtins.open.write", call(["text"]))).toBe("fs.write");
  });
  test("flags", () => {
    expect(ofEcmascript("fs.open", call(["x"]))).toBe("fs.read");
    expect(ofEcmascript("fs.openSync", call(["x", "w"]))).toBe("fs.write");
    expect(ofEcmascript("fs.promises.open", call(["x", "r"]))).toBe("fs.read");
    expect(ofPython("os.open", call(["x", null]))).toBe("fs.write");
    const readOnly = { constants: () => null, references: () => [python("os.O_RDONLY")] };
    expect(ofPython("os.open", readOnly)).toBe("fs.read");
  });
  test("SQL is judged by its statement", () => {
    expect(ofPython("sqlite3.connect.execute", call(["select * from t"]))).toBe("db.read");
    expect(ofPython("sqlite3.connect.cursor.execute", call(["-- x\nSELECT 1"]))).toBe("db.read");
    expect(ofPython("sqlite3.connect.execute", call(["with x as (select 1) delete from t"]))).toBe("db.write");
    expect(ofPython("sqlite3.connect.execute", call(["select 1; drop table t"]))).toBe("db.write");
    expect(ofPython("sqlite3.connect.execute", call(["insert into t values (1)"]))).toBe("db.write");
    expect(ofPython("sqlite3.connect.execute", call([null]))).toBe("db.write");
    expect(ofPython("sqlite3.connect.execute", { constants: () => null, head: () => "SELECT * FROM " })).toBe("db.read");
  });
  test("timers are code when they are given text", () => {
    expect(ofGlobal("setTimeout", call(["alert(1)"]))).toBe("code");
    expect(ofGlobal("setTimeout", call([null, 10]))).toBe("pure");
    expect(ofGlobal("setTimeout")).toBe("pure");
    expect(ofEcmascript("timers.setInterval", call(["x()"]))).toBe("code");
  });
  test("loaders are opaque unless their text folds", () => {
    expect(ofPython("importlib.import_module", call(["json"]))).toBe("pure");
    expect(ofPython("importlib.import_module", call([null]))).toBe("opaque");
    expect(ofPython("builtins.__import__")).toBe("opaque");
    expect(ofGlobal("require", call([null]))).toBe("opaque");
  });
  test("a log file is written only where one is named", () => {
    expect(ofPython("logging.basicConfig", call([], { level: 10 }))).toBe("pure");
    expect(ofPython("logging.basicConfig", call([], { filename: null }))).toBe("fs.write");
  });
  test("script elements and workers", () => {
    expect(ofGlobal("document.createElement", call(["script"]))).toBe("code");
    expect(ofGlobal("document.createElement", call(["div"]))).toBe("pure");
    expect(ofGlobal("Worker", call([null]))).toBe("pure");
    expect(ofGlobal("Worker", call(["data:text/javascript,x"]))).toBe("code");
    expect(ofEcmascript("worker_threads.Worker", call([null], { eval: true }))).toBe("code");
  });
  test("Deno.open by its options", () => {
    expect(ofGlobal("Deno.open", call(["x"]))).toBe("fs.read");
    expect(ofGlobal("Deno.open", call(["x", null], { write: true }))).toBe("fs.write");
    expect(ofGlobal("Deno.open", call(["x", null], { read: true }))).toBe("fs.read");
  });
});

describe("whole modules and computed members", () => {
  test("a mixed module has all its members' capabilities", () => {
    const os = classify("python", python("os"));
    expect(os).toMatchObject({ kind: "capability", mixed: true, root: "os" });
    expect(shown(os)).toContain("proc");
    expect(classify("ecmascript", ecmascript("node:fs/promises"))).toMatchObject({ mixed: true, root: "fs", api: "node:fs" });
    expect(classify("python", python("urllib"))).toMatchObject({ mixed: true });
  });
  test("a pure member of a mixed module says that the module is mixed", () => {
    expect(classify("python", python("os.getpid"))).toEqual({ kind: "pure", root: "os", mixed: true });
    expect(classify("python", python("json.dumps"))).toEqual({ kind: "pure", root: "json", mixed: false });
  });
  test("computed members", () => {
    const computed = (language: "python" | "ecmascript", module: string, path: readonly string[] = []): string =>
      shown(classify(language, { module, path, computed: true }));
    expect(computed("ecmascript", "fs")).toBe("opaque");
    expect(computed("python", "os")).toBe("opaque");
    expect(computed("python", "subprocess")).toBe("proc opaque");
    expect(computed("python", "os", ["environ"])).toBe("env.read");
    expect(computed("ecmascript", "globalThis", ["process", "env"])).toBe("env.read");
    expect(computed("ecmascript", "globalThis")).toBe("opaque");
    expect(computed("python", "builtins")).toBe("opaque");
    expect(computed("python", "logging")).toBe("pure");
    expect(computed("python", "math")).toBe("pure");
  });
});

describe("names as shown", () => {
  test.each([
    ["python", { module: "urllib.request", path: ["urlopen"] }, "urllib", "urllib.request.urlopen"],
    ["python", { module: "builtins", path: ["open"] }, "open", "open"],
    ["ecmascript", { module: "node:fs/promises", path: ["writeFile"] }, "fs", "node:fs.writeFile"],
    ["ecmascript", { module: "globalThis", path: ["window", "fetch"] }, "fetch", "fetch"],
    ["ecmascript", { module: "globalThis", path: ["process", "env", "X"] }, "process", "process.env.X"],
  ] as const)("%s %o", (language, reference, root, api) => {
    const view = reference.path[0] === "open" ? call(["x", "w"]) : undefined;
    expect(classify(language, reference, [], view)).toMatchObject({ kind: "capability", root, api });
  });
  test("an unknown package is named by its root", () => {
    expect(classify("python", python("acme_sdk.client.Client"))).toEqual({ kind: "unclassified", root: "acme_sdk" });
    expect(classify("ecmascript", ecmascript("@acme/sdk/client.Client"))).toEqual({ kind: "unclassified", root: "@acme/sdk" });
    expect(classify("python", { module: "google.acme", path: ["x"] })).toEqual({ kind: "unclassified", root: "google.acme" });
  });
  test("an odd name does not answer for another", () => {
    for (const odd of ["Path\0unlink", "Path\",\"unlink", "Path,unlink"]) classify("python", { module: "pathlib", path: [odd] });
    expect(ofPython("pathlib.Path.unlink")).toBe("fs.delete");
  });
  test("a chain as long as its file is one look-up", () => {
    const chain = Array.from({ length: 200_000 }, () => "a");
    expect(shown(classify("python", { module: "requests", path: chain, instance: true }))).toBe("net");
    expect(shown(classify("python", { module: chain.join("."), path: [] }))).toBe("unclassified");
    expect(shown(classify("ecmascript", { module: chain.join("/"), path: chain }))).toBe("unclassified");
  });
  test("names of the prototype are ordinary", () => {
    expect(classify("ecmascript", { module: "constructor", path: ["__proto__"] })).toEqual({ kind: "unclassified", root: "constructor" });
    expect(classify("python", { module: "os", path: ["constructor"] })).toMatchObject({ kind: "pure" });
  });
});

test("native files, remote addresses and data are what they are wherever they lie", () => {
  const of = (module: string): string => shown(classify("ecmascript", { module, path: [] }));
  expect(of("./build/Release/addon.node")).toBe("native");
  expect(of("./pkg/x.wasm")).toBe("native");
  expect(of("https://example.com/x.js")).toBe("net code");
  expect(of("data:text/javascript,export{}")).toBe("code");
});

describe("additions", () => {
  const additions = [
    { api: "acme_sdk.charges.create", capability: "pay" },
    { api: "acme_sdk.charges.create.preview", capability: "pure" },
    { api: "os.getpid", capability: "proc" },
    { api: "fetch", capability: "pure" },
    { api: "@acme/sdk", capability: "cloud.write" },
    { api: "node:path.join", capability: "tool" },
  ] as const;
  test("win over the shipped data, longer names over shorter ones", () => {
    const py = (name: string): string => shown(classify("python", python(name), additions));
    expect(py("acme_sdk.charges.create")).toBe("pay");
    expect(py("acme_sdk.charges.create.preview.x")).toBe("pure");
    expect(py("os.getpid")).toBe("proc");
    expect(py("os.getppid")).toBe("pure");
    expect(shown(classify("ecmascript", { module: "globalThis", path: ["fetch"] }, additions))).toBe("pure");
    expect(shown(classify("ecmascript", ecmascript("@acme/sdk/x.y"), additions))).toBe("cloud.write");
    expect(shown(classify("ecmascript", ecmascript("node:path.join"), additions))).toBe("tool");
  });
  test("a package of which only members were added is mixed", () => {
    expect(classify("python", python("acme_sdk"), additions)).toMatchObject({ kind: "capability", capabilities: ["pay"], mixed: true });
    expect(shown(classify("python", python("acme_sdk.other"), additions))).toBe("pure");
    expect(shown(classify("python", python("acme_sdkx"), additions))).toBe("unclassified");
  });
});

test("exceptions and pure members", () => {
  expect(isException("python", python("requests.exceptions.Timeout"))).toBe(true);
  expect(isException("python", python("subprocess.TimeoutExpired"))).toBe(true);
  expect(isException("python", python("builtins.ValueError"))).toBe(true);
  expect(isException("python", python("subprocess.run"))).toBe(false);
  expect(isException("ecmascript", ecmascript("axios.AxiosError"))).toBe(true);
  expect(isPureMember("python", python("subprocess.PIPE"))).toBe(true);
  expect(isPureMember("python", python("subprocess.Popen"))).toBe(false);
});

test("an environment that is assigned to is written", () => {
  expect(asWritten(["env.read"])).toEqual(["env.write"]);
  expect(asWritten(["net"])).toEqual(["net"]);
});

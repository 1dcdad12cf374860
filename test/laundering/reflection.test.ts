import { describe } from "vitest";
import { allFound } from "./attempts.ts";
import type { Hidden } from "./attempts.ts";

const IO = "no-invented-io";
const DYNAMIC = "no-dynamic-import";

function python(name: string, text: string, rule = IO): Hidden {
  return { name: `${name} (Python)`, ending: ".py", text, rule };
}

function typescript(name: string, text: string, rule = IO): Hidden {
  return { name: `${name} (TypeScript)`, ending: ".ts", text: `${text}export {};\n`, rule };
}

describe("a capability reached round about", () => {
  allFound("laundering-reflection", [
    python("a function handed to a thread", "import os\nimport threading\n\nthreading.Thread(target=os.system, args=('x',)).start()\n"),
    python("a function handed to a pool", "import asyncio\nimport subprocess\n\n\nasync def f():\n    await asyncio.to_thread(subprocess.run, 'x')\n"),
    python("a function handed to map", "import os\n\nlist(map(os.system, ['x']))\n"),
    python("a function as the key of a sort", "import os\n\nsorted(['x'], key=os.system)\n"),
    python("a partial function", "import functools\nimport os\n\nfunctools.partial(os.system, 'x')()\n"),
    python("a function that runs at the end", "import atexit\nimport os\n\natexit.register(os.system, 'x')\n"),
    python("an attribute that is set to it", "import os\n\n\nclass A:\n    pass\n\n\nA.run = os.system\nA.run('x')\n"),
    python("a module under several names", "import os as a\n\nb = a\nc = b\nc.system('x')\n"),
    python("a module taken from another one", "import shutil\n\nshutil.os.system('x')\n"),
    python("a getter of attributes", "import operator\nimport os\n\noperator.attrgetter('system')(os)('x')\n"),
    python("a caller of methods", "import operator\nimport os\n\noperator.methodcaller('system', 'x')(os)\n"),
    python("a member by its name", "import os\n\ngetattr(os, 'system')('x')\n"),
    python("a member by a name that is computed", "import os\n\ngetattr(os, input())('x')\n", DYNAMIC),
    python("the variables of a module", "import os\n\nvars(os)['system']('x')\n"),
    python("a name that is resolved", "import pkgutil\n\npkgutil.resolve_name('os:system')('x')\n", DYNAMIC),
    python("a name that is located", "import pydoc\n\npydoc.locate('os.system')('x')\n", DYNAMIC),
    python("code that is timed", "import timeit\n\ntimeit.timeit('__import__(\"os\").system(\"x\")', number=1)\n", DYNAMIC),
    python("code that is profiled", "import cProfile\n\ncProfile.run('__import__(\"os\").system(\"x\")')\n", DYNAMIC),
    python("the built-ins of a frame", "import sys\n\nsys._getframe().f_builtins['eval']('x')\n", DYNAMIC),
    python("the globals of a function", "import json\n\njson.loads.__globals__['__builtins__']['eval']('x')\n", DYNAMIC),
    python("all subclasses", "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == 'Popen'][0]('x')\n", DYNAMIC),
    python("a loader's own import", "import importlib.util\n\nspec = importlib.util.spec_from_file_location('x', '/tmp/x.py')\n", DYNAMIC),
    python("objects read from bytes", "import pickle\n\npickle.loads(open('x', 'rb').read())\n", DYNAMIC),
    python("an entry point", "from importlib.metadata import entry_points\n\nfor one in entry_points(group='x'):\n    one.load()()\n", DYNAMIC),
    python("a console", "import code\n\ncode.InteractiveInterpreter().runsource('x')\n", DYNAMIC),
    python("foreign functions", "import ctypes\n\nctypes.CDLL(None).system(b'x')\n"),
    python("a page opened", "import webbrowser\n\nwebbrowser.open('http://x')\n"),
    python("a log that is sent", "import logging.handlers\n\nlogging.getLogger().addHandler(logging.handlers.HTTPHandler('x', '/'))\n"),
    python("a terminal", "import pty\n\npty.spawn('sh')\n"),
    python("the loop's own process", "import asyncio\n\n\nasync def f():\n    await asyncio.create_subprocess_shell('x')\n"),
    typescript("an indirect eval", "(0, eval)(\"x\");\n", DYNAMIC),
    typescript("eval under another name", "const run = eval;\nrun(\"x\");\n", DYNAMIC),
    typescript("a constructor's constructor", "[].constructor.constructor(\"return 1\")();\n", DYNAMIC),
    typescript("a timer given text", "setTimeout(\"run()\" as never, 1);\n", DYNAMIC),
    typescript("a global by a computed name", "(globalThis as any)[\"fe\" + String(Math.random())](\"x\");\n", DYNAMIC),
    typescript("a global by a name that is put together", "(globalThis as any)[\"fe\" + \"tch\"](\"x\");\n"),
    typescript("a global by reflection", "Reflect.get(globalThis, \"fetch\")(\"x\");\n"),
    typescript("a function applied", "Reflect.apply(fetch, null, [\"x\"]);\n"),
    typescript("a function bound", "fetch.bind(null, \"x\")();\n"),
    typescript("a function handed on", "[\"x\"].map(fetch as never);\n"),
    typescript("a table of functions", "const table = { go: fetch };\ntable.go(\"x\");\n"),
    typescript("a promise of a process", "import { promisify } from \"node:util\";\nimport { exec } from \"node:child_process\";\n\nvoid promisify(exec)(\"x\");\n"),
    typescript("an alias of a module", "import * as a from \"node:child_process\";\n\nconst b = a;\nb.execSync(\"x\");\n"),
    typescript("a member by its name", "import * as a from \"node:child_process\";\n\na[\"exec\" + \"Sync\" as \"execSync\"](\"x\");\n"),
    typescript("the module's own require", "module.require(\"child_process\").execSync(\"x\");\n"),
    typescript("the main module's require", "(process as any).mainModule.require(\"child_process\").execSync(\"x\");\n"),
    typescript("the module's constructor", "(module as any).constructor._load(\"child_process\").execSync(\"x\");\n"),
    typescript("require under another name", "const load = require;\nload(\"child_process\").execSync(\"x\");\n"),
    typescript("an import of an address", "import x from \"https://example.com/x.js\";\n\nx();\n"),
    typescript("an import of text", "void import(\"data:text/javascript,fetch('x')\");\n", DYNAMIC),
    typescript("an import by another registry", "import { execa } from \"npm:execa\";\n\nawait execa(\"x\");\n"),
    typescript("a worker of text", "import { Worker } from \"node:worker_threads\";\n\nnew Worker(\"require('child_process')\", { eval: true });\n", DYNAMIC),
    typescript("a machine of its own", "import vm from \"node:vm\";\n\nvm.runInThisContext(\"x\");\n", DYNAMIC),
    typescript("a cluster", "import cluster from \"node:cluster\";\n\ncluster.fork();\n"),
    typescript("a beacon", "navigator.sendBeacon(\"x\");\n"),
    typescript("a socket of the browser", "new WebSocket(\"x\");\n"),
    typescript("a script put into a page", "const script = document.createElement(\"script\");\nscript.src = \"x\";\n", DYNAMIC),
    typescript("machine code", "await WebAssembly.instantiate(new Uint8Array(8));\n"),
    typescript("an older runtime's bindings", "(process as any).binding(\"spawn_sync\");\n", DYNAMIC),
  ]);
});

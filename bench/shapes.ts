/** A hostile or generated source that grows with `size`. */
export interface Shape {
  readonly name: string;
  readonly python: (size: number) => string;
  readonly ecmascript: (size: number) => string;
}

const times = (count: number, write: (index: number) => string): string => Array.from({ length: count }, (_, index) => write(index)).join("\n");
const indent = (depth: number): string => "  ".repeat(depth);

/** Loops that nest deeper than this are refused by no parser, and written by nobody. */
const DEEPEST = 90;

function nested(size: number, open: (depth: number) => string, inside: (depth: number) => string, close: (depth: number) => string): string {
  return times(Math.ceil(size / DEEPEST), () => [
    ...Array.from({ length: DEEPEST }, (_, depth) => open(depth)), inside(DEEPEST),
    ...Array.from({ length: DEEPEST }, (_, depth) => close(DEEPEST - 1 - depth)),
  ].filter((line) => line !== "").join("\n"));
}

/** What the rules of judgement walk: aliases, tables, chains of calls, loops, gates, model names, addresses. */
export const SHAPES: readonly Shape[] = [
  {
    name: "aliases of each other",
    python: (size) => `import requests\na0 = requests.post\n${times(size, (index) => `a${index + 1} = a${index} or a${(index * 7) % (index + 1)}`)}\na0 = a${size}\nwhile True:\n  a${size}(url)\n`,
    ecmascript: (size) => `import axios from "axios";\nlet a0 = axios.post;\n${times(size, (index) => `let a${index + 1} = a${index} || a${(index * 7) % (index + 1)};`)}\na0 = a${size};\nwhile (true) a${size}(url);\n`,
  },
  {
    name: "one large table of functions",
    python: (size) => `import requests\nTABLE = {\n${times(size, (index) => `  "k${index}": lambda: requests.post("https://a.example/${index}", timeout=1),`)}\n}\ndef run(name):\n  while True:\n    TABLE[name]()\n`,
    ecmascript: (size) => `import axios from "axios";\nconst TABLE = {\n${times(size, (index) => `  k${index}: () => axios.post("https://a.example/${index}", {}, { timeout: 1 }),`)}\n};\nexport function run(name) { while (true) TABLE[name](); }\n`,
  },
  {
    name: "a chain of calls",
    python: (size) => `import requests\n${times(size, (index) => `def f${index}(x):\n  return f${index + 1}(x)`)}\ndef f${size}(x):\n  return requests.post(x)\nwhile True:\n  f0(1)\n`,
    ecmascript: (size) => `import axios from "axios";\n${times(size, (index) => `function f${index}(x) { return f${index + 1}(x); }`)}\nfunction f${size}(x) { return axios.post(x); }\nwhile (true) f0(1);\n`,
  },
  {
    name: "functions that call each other in rings",
    python: (size) => `import requests\n${times(size, (index) => `def f${index}(x):\n  f${(index + 1) % size}(x)\n  f${(index * 3 + 1) % size}(x)\n  requests.post(x)`)}\n`,
    ecmascript: (size) => `import axios from "axios";\n${times(size, (index) => `function f${index}(x) { f${(index + 1) % size}(x); f${(index * 3 + 1) % size}(x); axios.post(x); }`)}\n`,
  },
  {
    name: "loops one after another",
    python: (size) => `import requests\ndef run(session, url):\n${times(size, (index) => `  n${index} = 0\n  while True:\n    n${index} += 1\n    if n${index} > 5: break\n    try:\n      requests.post(url)\n    except OSError:\n      continue`)}\n`,
    ecmascript: (size) => `import axios from "axios";\nexport async function run(url) {\n${times(size, (index) => `  let n${index} = 0;\n  while (true) {\n    n${index}++;\n    if (n${index} > 5) break;\n    try { await axios.post(url); } catch { continue; }\n  }`)}\n}\n`,
  },
  {
    name: "loops inside loops",
    python: (size) => `import requests\n${nested(size, (depth) => `${indent(depth)}while True:`, (depth) => `${indent(depth)}requests.post(url)`, () => "")}\n`,
    ecmascript: (size) => `import axios from "axios";\n${nested(size, (depth) => `${indent(depth)}while (true) {`, (depth) => `${indent(depth)}axios.post(url);`, (depth) => `${indent(depth)}}`)}\n`,
  },
  {
    name: "branches one after another in one loop",
    python: (size) => `import requests\nn = 0\nwhile True:\n${times(size, (index) => `  if a${index}:\n    n += 1\n  elif b${index}:\n    continue`)}\n  requests.post(url)\n  if n > 10: break\n`,
    ecmascript: (size) => `import axios from "axios";\nlet n = 0;\nwhile (true) {\n${times(size, (index) => `  if (a${index}) n++; else if (b${index}) continue;`)}\n  axios.post(url);\n  if (n > 10) break;\n}\n`,
  },
  {
    name: "writes inside and beside a gate",
    python: (size) => `import requests\ndef write_gate(call):\n  return call()\n${times(size, (index) => `def w${index}(u):\n  requests.post(u, json={})\nwrite_gate(lambda: w${index}("u"))`)}\n`,
    ecmascript: (size) => `import axios from "axios";\nexport function writeGate(call) { return call(); }\n${times(size, (index) => `function w${index}(u) { return axios.post(u, {}); }\nwriteGate(() => w${index}("u"));`)}\n`,
  },
  {
    name: "defaults and tables of model names",
    python: (size) => `import os\nfrom openai import OpenAI\n${times(size, (index) => `def f${index}(model=os.getenv("MODEL_${index}", "gpt-4o")):\n  return OpenAI().responses.create(model=model or "gpt-4o-mini")`)}\nPRICES = {\n${times(size, (index) => `  "gpt-4o-${index}": ${index},`)}\n}\n`,
    ecmascript: (size) => `import OpenAI from "openai";\n${times(size, (index) => `export function f${index}(model = process.env.MODEL_${index} ?? "gpt-4o") { return new OpenAI().responses.create({ model: model || "gpt-4o-mini" }); }`)}\nconst PRICES = {\n${times(size, (index) => `  "gpt-4o-${index}": ${index},`)}\n};\n`,
  },
  {
    name: "errors that lead elsewhere, keys made anew",
    python: (size) => `import requests, uuid\n${times(size, (index) => `def f${index}(base):\n  for attempt in range(3):\n    try:\n      return requests.post(base, headers={"Idempotency-Key": str(uuid.uuid4())})\n    except OSError:\n      base = "https://b${index}.example"`)}\n`,
    ecmascript: (size) => `import axios from "axios";\nimport { randomUUID } from "node:crypto";\n${times(size, (index) => `export async function f${index}(base) {\n  for (let attempt = 0; attempt < 3; attempt++) {\n    try { return await axios.post(base, {}, { headers: { "Idempotency-Key": randomUUID() } }); } catch { base = "https://b${index}.example"; }\n  }\n}`)}\n`,
  },
  {
    name: "classes that inherit from each other",
    python: (size) => `import requests\nclass C0:\n  send = requests.post\n${times(size, (index) => `class C${index + 1}(C${index}):\n  def m${index}(self, u):\n    return self.send(u)`)}\nwhile True:\n  C${size}().m0("u")\n`,
    ecmascript: (size) => `import axios from "axios";\nclass C0 { send = axios.post; }\n${times(size, (index) => `class C${index + 1} extends C${index} { m${index}(u) { return this.send(u); } }`)}\nwhile (true) new C${size}().m0("u");\n`,
  },
  {
    name: "partials of partials",
    python: (size) => `import requests\nfrom functools import partial\np0 = requests.post\n${times(size, (index) => `p${index + 1} = partial(p${index}, data=${index})\np${index + 1}("u")`)}\nwhile True:\n  p${size}("u")\n`,
    ecmascript: (size) => `import axios from "axios";\nconst p0 = axios.post;\n${times(size, (index) => `const p${index + 1} = p${index}.bind(null, "u${index}");\np${index + 1}.call(null, "u");`)}\nwhile (true) p${size}("u");\n`,
  },
  {
    name: "values unpacked and handed on",
    python: (size) => `import requests\na0, b0 = requests.post, requests.get\n${times(size, (index) => `a${index + 1}, b${index + 1} = b${index}, a${index}\ndef f${index}(run, url):\n  return run(url)\nf${index}(a${index}, "u")`)}\n`,
    ecmascript: (size) => `import axios from "axios";\nconst [a0, b0] = [axios.post, axios.get];\n${times(size, (index) => `const [a${index + 1}, b${index + 1}] = [b${index}, a${index}];\nfunction f${index}(run, url) { return run(url); }\nf${index}(a${index}, "u");`)}\n`,
  },
  {
    name: "decorators, closures and computed members",
    python: (size) => `import requests\ndef wrap(run):\n  def inner(*given):\n    return run(*given)\n  return inner\n${times(size, (index) => `@wrap\ndef f${index}(url):\n  return getattr(requests, "po" + "st")(url)\nN${index} = [run(url) for run in [f${index}, requests.post]]`)}\nwhile True:\n  f0("u")\n`,
    ecmascript: (size) => `import axios from "axios";\nconst wrap = (run) => (...given) => run(...given);\n${times(size, (index) => `const f${index} = wrap((url) => axios["po" + "st"](url));\nconst n${index} = [f${index}, axios.post].map((run) => run("u"));`)}\nwhile (true) f0("u");\n`,
  },
];

import shapes from "./shapes.json" with { type: "json" };

const { words, passwords, hosts } = shapes.placeholders;
/** Characters of a token in a row of the alphabet or of the digits: somebody typed them to fill the place. */
const ROW = 7;
/** A secret of any length has more different characters. */
const FEWEST_CHARACTERS = 8;
/** What a program puts a value in for. */
const FILLED_IN = /[${}<>%*]|\.\.\.|\[[^\]]*\]/;

/** Whether a text in the shape of a token stands for one that is to be put in: an example, a row of letters, stars. */
export function isPlaceholder(token: string): boolean {
  const lower = token.toLowerCase();
  return FILLED_IN.test(token) || words.some((word) => lower.includes(word)) || new Set(lower).size < FEWEST_CHARACTERS || hasRow(lower);
}

function hasRow(text: string): boolean {
  let length = 1;
  for (let index = 1; index < text.length; index++) {
    const step = text.charCodeAt(index) - text.charCodeAt(index - 1);
    length = step === 1 || step === -1 || step === 0 || text.slice(index - 1, index + 1) === "90" ? length + 1 : 1;
    if (length >= ROW) return true;
  }
  return false;
}

/** `scheme://name:password@host`; what a password may hold is not escaped by everybody. */
const WITH_PASSWORD = /:\/\/([^\s/:@]*):([^\s]+)@([^\s/:@?'"`,]+)/;

/** Whether an address holds no password of anybody: an example's, one that is filled in, one for this machine. */
export function isHarmlessAddress(address: string): boolean {
  const [, name, password, host] = WITH_PASSWORD.exec(address) ?? [];
  if (name === undefined || password === undefined || host === undefined) return true;
  const lower = password.toLowerCase();
  if (FILLED_IN.test(password) || FILLED_IN.test(host) || passwords.includes(lower) || lower === name.toLowerCase() || words.some((word) => lower.includes(word))) return true;
  return isNear(host.toLowerCase());
}

/** This machine, a name without a domain (a service of a compose file), or a name that is reserved for examples. */
function isNear(host: string): boolean {
  return hosts.includes(host) || !host.includes(".") || /^(?:127\.|0\.0\.0\.0|10\.|192\.168\.)/.test(host) || /(?:^|\.)(?:example|test|invalid|localhost|local|internal)$|(?:^|\.)example\.(?:com|org|net)$/.test(host);
}

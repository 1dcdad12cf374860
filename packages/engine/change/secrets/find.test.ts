import { describe, expect, it } from "vitest";
import { isEnvironmentFile, secretSettings } from "./environment.ts";
import { secretsIn } from "./find.ts";
import { Secrets } from "./hidden.ts";
import { isHarmlessAddress, isPlaceholder } from "./placeholder.ts";

/** Made up, in pieces, so that no reader of this file takes them for ones. */
const TOKEN = ["hf", "QzWkTnLsVbXyRmPdHcJfGtKaEuYiOoSaDl"].join("_");
const AWS_KEY = ["uQ7rTz2mWk9p", "Lx4vBn8cJd1s/f6gYe3a", "Ro5tKi0Z"].join("");
const PASSWORD = ["k7Wq", "9dPz", "Lm2x"].join("");

describe("secret-in-change: the secrets of a text", () => {
  it("are told with their place, none inside another", async () => {
    const text = `a = "${TOKEN}"\nb = "https://${TOKEN.slice(3)}@x"\nurl = postgres://app:${PASSWORD}@db.acme-data.com/app\n`;
    const found = await secretsIn(text);
    expect(found.map(({ name, span }) => [name, text.slice(span[0], span[1]).slice(0, 12)])).toEqual([["Hugging Face token", TOKEN.slice(0, 12)], ["connection string with a password", "postgres://a"]]);
  });

  it.each([`{ "aws_secret_access_key": "${AWS_KEY}" }`, `secretAccessKey: '${AWS_KEY}',`, `AWS_SECRET_ACCESS_KEY=${AWS_KEY}`])("are told to their end where a name tells them: %#", async (text) => {
    const found = await secretsIn(text);
    expect(found.map(({ name, span }) => [name, text.slice(span[0], span[1])])).toEqual([["AWS credential", AWS_KEY]]);
  });

  it.each(['"secret_access_key": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"', "'Authorization': 'Bearer xoxb-1234-1243',"])("are none where the value is an example's: %s", async (text) => {
    expect(await secretsIn(text)).toEqual([]);
  });

  it("are none where nothing could be one", async () => {
    expect(await secretsIn("const x = import('y'); // nothing\n".repeat(1000))).toEqual([]);
  });

  it.each([["ghp_xxxxxxxxxxxxxxxxxxxx", true], ["AKIAIOSFODNN7EXAMPLE", true], ["abcdefghijklmnop1", true], ["hf_${token}", true], ["000000000000111", true], [TOKEN, false]])("stands %s for something: %s", (token, stands) => {
    expect(isPlaceholder(token)).toBe(stands);
  });

  it.each([
    ["postgres://user:password@db.acme-data.com/x", true], ["postgres://app:app@db.acme-data.com/x", true], [`postgres://app:${PASSWORD}@localhost:5432/x`, true], [`redis://:${PASSWORD}@redis:6379`, true], ["mysql://u:{p}@h.acme-data.com", true],
    [`amqp://app:${PASSWORD}@mq.acme-data.com`, false], [`https://bot:${PASSWORD}@10.1.2.3/x`, true],
  ])("is %s harmless: %s", (address, harmless) => {
    expect(isHarmlessAddress(address)).toBe(harmless);
  });
});

describe("secret-in-change: environment files", () => {
  it.each([[".env", true], ["app/.env.production", true], ["prod.env", true], [".env.example", false], [".env.local.sample", false], ["environment.ts", false], [".envrc.md", false]])("%s: %s", (path, is) => {
    expect(isEnvironmentFile(path)).toBe(is);
  });

  it("hold settings by name, with their values", () => {
    const text = `PORT=8080\nexport API_KEY='${PASSWORD}' # x\nTOKEN_URL=https://login.acme-data.com/oauth2\nVITE_API_KEY=${PASSWORD}\nSECRET=short\nDB_PASSWORD=${PASSWORD} # why\n`;
    expect(secretSettings(text).map(({ name, span }) => [name, text.slice(span[0], span[1])])).toEqual([["API_KEY", PASSWORD], ["DB_PASSWORD", PASSWORD]]);
  });
});

describe("secret-in-change: what is shown", () => {
  it("has stars for secrets, and keeps lines and columns", () => {
    const secrets = new Secrets();
    const text = `a\r\n${TOKEN} b\n`;
    secrets.hide("a.py", text, [3, 3 + TOKEN.length]);
    expect(secrets.textWithout("a.py", text)).toBe(`a\r\n${"*".repeat(TOKEN.length)} b\n`);
    expect(secrets.textWithout("b.py", text)).toBe(text);
    expect(secrets.messageWithout(`it says ${TOKEN}.`)).toBe("it says ****.");
  });
});

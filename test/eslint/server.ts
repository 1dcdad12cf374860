import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import rpc from "vscode-jsonrpc/node";
import type { MessageConnection } from "vscode-jsonrpc/node";

const SERVER = fileURLToPath(new URL("../../node_modules/vscode-langservers-extracted/bin/vscode-eslint-language-server", import.meta.url));

export interface Diagnostic {
  readonly code?: string;
  readonly codeDescription?: { readonly href: string };
  readonly message: string;
  readonly severity: number;
  readonly source?: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number }; readonly end: { readonly line: number; readonly character: number } };
}

export interface CodeAction {
  readonly title: string;
  readonly command?: { readonly command: string; readonly arguments?: readonly unknown[] };
}

/** What VS Code's settings say of a file, as its client sends them to the server. */
function settingsOf(folder: string): object {
  return {
    validate: "on", packageManager: "npm", useESLintClass: true, useFlatConfig: true, experimental: { useFlatConfig: false },
    codeAction: { disableRuleComment: { enable: true, location: "separateLine", commentStyle: "line" }, showDocumentation: { enable: true } },
    codeActionOnSave: { mode: "all", enable: false }, format: false, quiet: false, onIgnoredFiles: "off", options: {}, rulesCustomizations: [],
    run: "onType", problems: { shortenToSingleLine: false }, nodePath: null, workingDirectory: { directory: folder },
    workspaceFolder: { uri: pathToFileURL(folder).href, name: "project" },
  };
}

/** VS Code's ESLint server in a process of its own, spoken to as the editor does. */
export class EditorServer {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #connection: MessageConnection;
  readonly #folder: string;
  readonly #versions = new Map<string, number>();
  /** What the server wrote to its error output and its log. */
  log = "";

  private constructor(folder: string) {
    this.#folder = folder;
    this.#process = spawn(process.execPath, [SERVER, "--stdio"], { cwd: folder });
    this.#process.stderr.on("data", (chunk: Buffer) => { this.log += chunk.toString(); });
    this.#connection = rpc.createMessageConnection(new rpc.StreamMessageReader(this.#process.stdout), new rpc.StreamMessageWriter(this.#process.stdin));
    this.#connection.onRequest("workspace/configuration", ({ items }: { items: readonly unknown[] }) => items.map(() => settingsOf(folder)));
    for (const request of ["client/registerCapability", "workspace/diagnostic/refresh", "eslint/confirmESLintExecution", "eslint/openDoc"]) this.#connection.onRequest(request, () => null);
    this.#connection.onNotification("window/logMessage", ({ message }: { message: string }) => { this.log += `${message}\n`; });
    this.#connection.onNotification("eslint/exitCalled", () => { this.log += "exit called\n"; });
    this.#connection.listen();
  }

  static async start(folder: string): Promise<EditorServer> {
    const server = new EditorServer(folder);
    await server.#connection.sendRequest("initialize", {
      processId: process.pid, rootUri: pathToFileURL(folder).href, workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "project" }],
      capabilities: { workspace: { configuration: true, workspaceFolders: true, diagnostics: { refreshSupport: true } }, textDocument: { diagnostic: { dynamicRegistration: true }, codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } } } },
    });
    await server.#connection.sendNotification("initialized", {});
    return server;
  }

  get isAlive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  async open(file: string, languageId: string, text: string): Promise<Diagnostic[]> {
    this.#versions.set(file, 1);
    await this.#connection.sendNotification("textDocument/didOpen", { textDocument: { uri: this.#uri(file), languageId, version: 1, text } });
    return this.diagnostics(file);
  }

  /** Replaces the whole text, as typing does piece by piece. */
  async edit(file: string, text: string): Promise<Diagnostic[]> {
    const version = (this.#versions.get(file) ?? 0) + 1;
    this.#versions.set(file, version);
    await this.#connection.sendNotification("textDocument/didChange", { textDocument: { uri: this.#uri(file), version }, contentChanges: [{ text }] });
    return this.diagnostics(file);
  }

  async diagnostics(file: string): Promise<Diagnostic[]> {
    const report: { items?: Diagnostic[] } = await this.#connection.sendRequest("textDocument/diagnostic", { textDocument: { uri: this.#uri(file) } });
    return report.items ?? [];
  }

  codeActions(file: string, diagnostic: Diagnostic): Promise<CodeAction[] | null> {
    return this.#connection.sendRequest("textDocument/codeAction", { textDocument: { uri: this.#uri(file) }, range: diagnostic.range, context: { diagnostics: [diagnostic], only: ["quickfix"] } });
  }

  async stop(): Promise<void> {
    this.#connection.dispose();
    this.#process.kill();
    await new Promise((resolve) => { if (this.#process.exitCode !== null || this.#process.signalCode !== null) resolve(null); else this.#process.once("exit", resolve); });
  }

  #uri(file: string): string {
    return pathToFileURL(path.join(this.#folder, file)).href;
  }
}

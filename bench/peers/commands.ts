import path from "node:path";
import process from "node:process";
import type { EvasionLanguage } from "../../tools/fixtures/evasion.ts";
import { fromBandit, fromEslint, fromOxlint, fromSarif, fromSkylosDefend, type PeerFinding } from "./outputs.ts";

/** One command over the folder of a language, and how its report is read. */
export interface PeerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The file that it writes; absent: standard output. */
  readonly report?: string;
  readonly read: (text: string, root: string) => PeerFinding[];
}

/** Where the peer's commands are, where its settings are, and a file that it may write. */
export interface Places {
  readonly commands: string;
  readonly settings: string;
  readonly report: string;
}

type Commands = (places: Places, language: EvasionLanguage) => PeerCommand[];

/** How each peer is run. All are kept from the network, from a configuration of the machine and from caches. */
export const COMMANDS: Readonly<Record<string, Commands>> = {
  bandit: ({ commands, report }) => [{
    command: path.join(commands, "bandit"), args: ["--recursive", ".", "--format", "json", "--quiet", "--ignore-nosec", "--output", report], report, read: fromBandit,
  }],
  ruff: ({ commands, settings }) => [{
    command: path.join(commands, "ruff"), args: ["check", "--config", path.join(settings, "ruff.toml"), "--no-cache", "--ignore-noqa", "--no-respect-gitignore", "--output-format", "sarif", "."], read: fromSarif,
  }],
  semgrep: ({ commands, settings, report }, language) => [{
    command: path.join(commands, "semgrep"),
    args: ["scan", "--config", path.join(settings, `${language}.yml`), "--metrics", "off", "--disable-version-check", "--no-git-ignore", "--disable-nosem", "--max-target-bytes", "0", "--jobs", "1", "--sarif", "--quiet", "--output", report, "."],
    // The launcher looks for its engine on the path.
    environment: { PATH: `${commands}:${process.env["PATH"] ?? ""}`, SEMGREP_SEND_METRICS: "off", SEMGREP_ENABLE_VERSION_CHECK: "0", SEMGREP_SETTINGS_FILE: `${report}.settings.yml` },
    report,
    read: fromSarif,
  }],
  "ast-grep": ({ commands, settings }) => [{
    command: path.join(commands, "ast-grep"), args: ["scan", "--config", path.join(settings, "sgconfig.yml"), "--no-ignore", "hidden", "--format", "sarif", "."], read: fromSarif,
  }],
  skylos: ({ commands, report }) => [
    {
      command: path.join(commands, "skylos"),
      args: [".", "--danger", "--quality", "--ai-defects", "--secrets", "--confidence", "0", "--no-upload", "--no-provenance", "--no-default-excludes", "--include-generated", "--no-grep-verify", "--force", "--sarif", report],
      environment: { SKYLOS_NO_CLIPBOARD: "1" },
      report,
      read: fromSarif,
    },
    { command: path.join(commands, "skylos"), args: ["defend", ".", "--format", "json", "--output", `${report}.defend`], report: `${report}.defend`, read: fromSkylosDefend },
  ],
  "release-gate": ({ commands, report }) => [{ command: path.join(commands, "release-gate"), args: ["audit", ".", "--full", "--sarif", report], report, read: fromSarif }],
  eslint: ({ commands, settings }) => [{
    command: path.join(commands, "eslint"), args: ["--config", path.join(settings, "config.cjs"), "--no-ignore", "--format", "json", "."],
    environment: { NODE_PATH: path.dirname(commands) },
    read: fromEslint,
  }],
  oxlint: ({ commands, settings }) => [{
    command: path.join(commands, "oxlint"), args: ["--config", path.join(settings, "oxlintrc.json"), "--no-ignore", "--format", "json", "."], read: fromOxlint,
  }],
};

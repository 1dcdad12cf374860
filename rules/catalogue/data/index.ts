import type { CatalogueFile } from "../format.ts";
import javascriptGlobals from "./javascript-globals.json" with { type: "json" };
import nodeBuiltins from "./node-builtins.json" with { type: "json" };
import npmCloud from "./npm/cloud.json" with { type: "json" };
import npmDb from "./npm/db.json" with { type: "json" };
import npmFiles from "./npm/files.json" with { type: "json" };
import npmMessages from "./npm/messages.json" with { type: "json" };
import npmModel from "./npm/model.json" with { type: "json" };
import npmNet from "./npm/net.json" with { type: "json" };
import npmPure from "./npm/pure.json" with { type: "json" };
import npmSystem from "./npm/system.json" with { type: "json" };
import pypiCloud from "./pypi/cloud.json" with { type: "json" };
import pypiDb from "./pypi/db.json" with { type: "json" };
import pypiFiles from "./pypi/files.json" with { type: "json" };
import pypiMessages from "./pypi/messages.json" with { type: "json" };
import pypiModel from "./pypi/model.json" with { type: "json" };
import pypiNet from "./pypi/net.json" with { type: "json" };
import pypiPure from "./pypi/pure.json" with { type: "json" };
import pypiSystem from "./pypi/system.json" with { type: "json" };
import pythonBuiltins from "./python-builtins.json" with { type: "json" };
import pythonStdlib from "./python-stdlib.json" with { type: "json" };
import runtimeModules from "./runtime-modules.json" with { type: "json" };

/** A file's literal type is of no use: a test checks the form of every entry. */
const files = (...contents: unknown[]): readonly CatalogueFile[] => contents as CatalogueFile[];

/** The data files by where their names stand. A new file is added here. */
export const PYTHON_LIBRARY = files(pythonStdlib, pythonBuiltins);
export const PYTHON_PACKAGES = files(pypiPure, pypiCloud, pypiDb, pypiFiles, pypiMessages, pypiModel, pypiNet, pypiSystem);
export const NODE_LIBRARY = files(nodeBuiltins, runtimeModules);
export const NODE_PACKAGES = files(npmPure, npmCloud, npmDb, npmFiles, npmMessages, npmModel, npmNet, npmSystem);
export const JAVASCRIPT_GLOBALS = files(javascriptGlobals);

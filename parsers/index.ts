export * from "./facts.ts";
export { constantHead, constantsOf, definitionsOf, functionsOf, instancesOf, occurrencesOf, referencesOf, valuesReturned } from "./shared/resolve.ts";
export type { Constant, Definition } from "./shared/resolve.ts";
export { lineStarts, onOneLine, positionAt } from "./shared/positions.ts";
export type { Position } from "./shared/positions.ts";
export { dialectOf, factsFromEstree, moduleKindOf, parseEcmascript } from "./ecmascript/index.ts";
export type { Comment, EcmascriptOptions, ModuleKind } from "./ecmascript/index.ts";
export { EditedPython, PYTHON_TYPES, decodePython, parsePython, parsePythonTree, pythonTree } from "./python/index.ts";
export type { DecodedSource, PythonNode, PythonToken, PythonTree } from "./python/index.ts";

import { readGenericType, readMemberType, readType, readTypeText, readUnionType } from "./annotations.ts";
import { readCall, readSlice, readSubscript } from "./calls.ts";
import { readClass, readDecorated } from "./classes.ts";
import { readFor, readIf, readTry, readWhile, readWith } from "./compound.ts";
import { readComprehension } from "./comprehensions.ts";
import { readError, readErrorStatement } from "./errors.ts";
import {
  readAttribute, readAwait, readBinary, readBoolean, readComparison, readConditional, readDictionary, readEllipsis, readIdentifier, readList,
  readNot, readParenthesized, readSpread, readUnary, readWalrus, readYield,
} from "./expressions.ts";
import { readFunction, readLambda } from "./functions.ts";
import { readFromImport, readImport } from "./imports.ts";
import { readConcatenatedString, readConstant, readInterpolation, readNumber, readString } from "./literals.ts";
import { readMatch } from "./patterns.ts";
import { readExec, readPrint } from "./python2.ts";
import { byKind } from "./reader.ts";
import type { ExpressionReader, Grammar, RightReader, StatementReader } from "./reader.ts";
import {
  readAssert, readAssignment, readAugmented, readDelete, readExpressionStatement, readJump, readPass, readRaise, readRedirection, readReturn,
} from "./statements.ts";
import { readTypeAlias } from "./type-aliases.ts";

const expressions: Partial<Record<string, ExpressionReader>> = {
  error: readError,
  identifier: readIdentifier,
  string: (reader, row) => (reader.inType ? readTypeText(reader, row, readString(reader, row)) : readString(reader, row)),
  concatenated_string: readConcatenatedString,
  interpolation: readInterpolation,
  integer: readNumber,
  float: readNumber,
  true: readConstant,
  false: readConstant,
  none: readConstant,
  ellipsis: readEllipsis,
  not_operator: readNot,
  unary_operator: readUnary,
  conditional_expression: readConditional,
  named_expression: readWalrus,
  parenthesized_expression: readParenthesized,
  lambda: readLambda,
  await: readAwait,
  yield: readYield,
  list: readList,
  tuple: readList,
  set: readList,
  expression_list: readList,
  pattern_list: readList,
  list_pattern: readList,
  tuple_pattern: readList,
  dictionary: readDictionary,
  list_splat: readSpread,
  list_splat_pattern: readSpread,
  dictionary_splat: readSpread,
  dictionary_splat_pattern: readSpread,
  splat_type: readSpread,
  list_comprehension: readComprehension,
  set_comprehension: readComprehension,
  dictionary_comprehension: readComprehension,
  generator_expression: readComprehension,
  slice: readSlice,
  type: readType,
  generic_type: readGenericType,
};

const rights: Partial<Record<string, RightReader>> = {
  attribute: readAttribute,
  call: readCall,
  subscript: readSubscript,
  binary_operator: readBinary,
  boolean_operator: readBoolean,
  comparison_operator: readComparison,
  union_type: readUnionType,
  member_type: readMemberType,
};

const statements: Partial<Record<string, StatementReader>> = {
  error: readErrorStatement,
  block: (reader, row) => { reader.statements(row); },
  expression_statement: readExpressionStatement,
  assignment: readAssignment,
  augmented_assignment: readAugmented,
  import_statement: readImport,
  import_from_statement: readFromImport,
  future_import_statement: readFromImport,
  print_statement: readPrint,
  exec_statement: readExec,
  assert_statement: readAssert,
  return_statement: readReturn,
  delete_statement: readDelete,
  raise_statement: readRaise,
  pass_statement: readPass,
  break_statement: readJump,
  continue_statement: readJump,
  global_statement: readRedirection,
  nonlocal_statement: readRedirection,
  type_alias_statement: readTypeAlias,
  if_statement: readIf,
  for_statement: readFor,
  while_statement: readWhile,
  try_statement: readTry,
  with_statement: readWith,
  function_definition: (reader, row) => { readFunction(reader, row, []); },
  class_definition: (reader, row) => { readClass(reader, row, []); },
  decorated_definition: readDecorated,
  match_statement: readMatch,
};

/** Which reader reads what. */
export const GRAMMAR: Grammar = { expressions: byKind(expressions), rights: byKind(rights), statements: byKind(statements) };

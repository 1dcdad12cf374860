import { expect, test } from "vitest";
import { verbOf, verbOfName } from "./verbs.ts";

test.each([
  ["get_object", "read"], ["GetObjectCommand", "read"], ["findMany", "read"], ["list_objects_v2", "read"], ["describe_instances", "read"], ["batch_get_item", "read"],
  ["put_object", "write"], ["PutObjectCommand", "write"], ["begin_create_or_update", "write"], ["insertMany", "write"], ["hset", "write"], ["deleteOne", "write"],
  ["find_one_and_update", "write"], ["findByIdAndDelete", "write"], ["get_or_create", "write"], ["findOrCreate", "write"], ["get_and_list", "read"],
  ["collection_exists", "read"], ["bucketExists", "read"], ["transact_get_items", "read"], ["TransactWriteItemsCommand", "write"], ["execute_read", "read"],
  ["execute", null], ["bulk", null], ["acknowledge", "write"], ["hgetall", "read"], ["FLUSHALL", "write"],
  ["close", null], ["createQueryBuilder", null], ["MongoClient", null], ["createClient", null], ["create_engine", null], ["", null], ["constructor", null],
] as const)("%s tells %s", (name, expected) => {
  expect(verbOfName(name)).toBe(expected);
});

test("the last name that tells decides", () => {
  expect(verbOf(["select", "from", "where"])).toBe("read");
  expect(verbOf(["from", "insert", "select", "single"])).toBe("write");
  expect(verbOf(["post", "findMany"])).toBe("read");
  expect(verbOf(["execute", "scalars", "all"])).toBe("read");
  expect(verbOf(["get_repo", "create_issue"])).toBe("write");
  // What builds a query reads where nothing before it writes.
  expect([verbOf(["collection", "where", "orderBy"]), verbOf(["update", "set", "where"]), verbOf(["where", "delete"])]).toEqual(["read", "write", "write"]);
  // A list that a read gave is changed, nothing else.
  expect([verbOf(["list_objects", "get", "append"]), verbOf(["blocks", "children", "append"]), verbOf(["get_collection", "add"])]).toEqual(["read", "write", "write"]);
  expect(verbOf(["users"])).toBeNull();
  // An area and then a verb, of the last name only; what is a noun there tells nothing.
  expect(["accounts_get", "filesUpload", "issue_create", "files_delete_v2", "result_set", "answer_callback_query"].map((name) => verbOf([name]))).toEqual(["read", "write", "write", "write", null, null]);
  expect(verbOf(["accounts_get", "frobnicate"])).toBeNull();
});

test("a very long name is no burden", () => {
  expect(verbOfName("a_".repeat(100_000))).toBeNull();
});

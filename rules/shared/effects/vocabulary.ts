import type { Capability } from "../../catalogue/capability.ts";
import effects from "../../data/effects.json" with { type: "json" };
import receivers from "../../data/receivers.json" with { type: "json" };

const words = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(" ").split(" "));
const lower = (...lines: readonly string[]): ReadonlySet<string> => words(...lines.map((line) => line.toLowerCase()));

export const HANDLES = lower(...effects.handles.names);
export const HANDLE_MEMBERS = words(effects.handles.members);
export const NET_HANDLES = words(effects.netHandles.names);
export const ACTING = words(effects.acting.names);
export const STARTING = words(effects.ofInstance.proc);
export const SERVERS = { python: words(effects.servers.python), ecmascript: words(effects.servers.ecmascript) };
export const SERVER_NAMES = words(effects.servers.names);
export const LOGS = words(effects.logs.names);
export const SENDS: ReadonlyMap<Capability, ReadonlySet<string>> = new Map([
  ["queue", lower(effects.sends.queue)], ["mail", lower(effects.sends.mail)], ["notify", lower(effects.sends.notify)], ["pay", lower(effects.sends.pay)],
]);
export const EXECUTES = lower(effects.executes.names);
export const TOOL_CALLS = lower(effects.toolCalls.names);
export const ANY_REQUESTS = lower(effects.toolCalls.anyRequest);
export const MODEL_METHODS = lower(effects.asksModel.names);
export const MODEL_COMMANDS = words(effects.asksModel.commands);
export const MODEL_CALLS = lower(...effects.modelCalls.names);
export const MODEL_MAKERS = effects.modelCalls.makers.ecmascript.split(" ");
export const MODEL_PLAIN = words(effects.modelCalls.plain);
export const CONSTRUCTED_RUNNERS = words(effects.runners.constructed);
export const RUNNERS = lower(effects.runners.names);
export const PLAIN_DATA = words(effects.plainData.names);
export const REGISTRATIONS = lower(effects.registrations.names);
export const READ_DATABASE_COMMANDS = lower(effects.readCommands.mongo);
export const READ_STORE_COMMANDS = lower(effects.readCommands.redis);
export const READ_CLOUD_COMMANDS = words(effects.readCommands.cloud);
export const DATA_GIVERS = words(effects.data.givers);
export const OF_ITEMS = words(effects.data.ofItems);
export const TABLE_TYPES = words(effects.data.tables);
export const DATA_MODULES = words(effects.data.modules);
export const RESULT_READS = words(effects.databaseReads.results);
export const SESSION_READS = words(effects.databaseReads.sessions);
export const SESSION_PACKAGES = words(effects.databaseReads.packages);
export const RUNS_FUNCTIONS = words(effects.runsFunctions.names);
/** APIs that fill a cache, with the option that names another folder. */
export const CACHED_DOWNLOADS: ReadonlyMap<string, string> = new Map(Object.entries(effects.cachedDownloads.folders));
export const NOTICES = words(effects.notices.names);
export const CACHES = words(effects.caches.packages);
export const IN_PROCESS_TRANSPORTS = words(effects.inProcessTransports.names);
export const TRANSPORT_OPTIONS = effects.inProcessTransports.options.split(" ");
export const MEMORY_PACKAGES = words(effects.memoryStores.packages);
export const BARE_MEMORY = words(effects.memoryStores.bare);
export const MEMORY_PLACES = words(effects.memoryStores.places);
export const IN_PROCESS = words(effects.inProcess.names);
export const COMMON = words(...effects.common.names);
export const MIGRATION_FOLDERS = words(effects.migrations.folders);
export const MIGRATION_OBJECTS = words(effects.migrations.objects);
export const MIGRATION_HANDLES = words(effects.migrations.handed);
export const TEMPORARY_APIS = effects.temporary.apis.split(" ");
export const TEMPORARY_FOLDERS = effects.temporary.folders.split(" ");
export const READ_PATHS = lower(...effects.readPaths.words);
export const READ_PATHS_ANYWHERE = lower(effects.readPaths.notLast);
export const READ_PATHS_BEFORE_OPEN = lower(effects.readPaths.beforeOpen);
export const READ_PATH_SEGMENTS = lower(effects.readPaths.segments);
export const HANDSHAKES = effects.readPaths.handshakes.split(" ");
export const READ_PATHS_WEAK = lower(effects.readPaths.weak);

/** A conventional name with the methods that tell what it does. */
export interface Receiver {
  readonly capability: Capability;
  readonly writes: ReadonlySet<string>;
  readonly reads: ReadonlySet<string>;
  /** Methods that are given SQL text. */
  readonly sql: ReadonlySet<string>;
  /** The method may lie some members below the name: `prisma.user.create`. */
  readonly deep: boolean;
}

/** Receivers by their conventional name in lower case, without what marks it as private. */
export const RECEIVERS: ReadonlyMap<string, readonly Receiver[]> = receiversByName();

function receiversByName(): ReadonlyMap<string, readonly Receiver[]> {
  const byName = new Map<string, Receiver[]>();
  for (const entry of receivers.receivers) {
    const { writes = "", reads = "", sql = "", deep = false } = entry as { readonly writes?: string; readonly reads?: string; readonly sql?: string; readonly deep?: boolean };
    const receiver = { capability: entry.capability as Capability, writes: lower(writes), reads: lower(reads), sql: lower(sql), deep };
    for (const name of words(entry.names)) {
      const list = byName.get(name);
      if (list === undefined) byName.set(name, [receiver]);
      else list.push(receiver);
    }
  }
  return byName;
}

const { shapes } = receivers;
export const SQL_METHODS = lower(shapes.sqlMethods);
export const SQL_TAGS = lower(shapes.sqlTags);
export const SQL_PREPARING = lower(shapes.sqlPreparing);
export const OBJECT_METHODS = lower(shapes.objectMethods);
export const SENDING = lower(shapes.sending);

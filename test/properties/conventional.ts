/** Names of handles that rules read where nothing else tells what they are; see the catalogue's receivers. */
export const CONVENTIONAL: ReadonlySet<string> = new Set<string>();

export { EditorSession } from "./session.ts";
export type { EditorAhead, EditorAnswer, EditorContent, EditorFinding, EditorReply, EditorRequest, EditorSettings, EditorSuggestion } from "./protocol.ts";

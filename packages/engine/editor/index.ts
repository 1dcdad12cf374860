export { EditorSession } from "./session.ts";
export type { EditorAnswer, EditorContent, EditorFinding, EditorReply, EditorRequest, EditorSettings, EditorSuggestion } from "./protocol.ts";

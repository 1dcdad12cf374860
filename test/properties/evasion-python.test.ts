import { verdictsOverEvasions } from "./evasions.ts";

verdictsOverEvasions("python");

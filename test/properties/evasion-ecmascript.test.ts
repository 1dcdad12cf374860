import { verdictsOverEvasions } from "./evasions.ts";

verdictsOverEvasions("ecmascript");

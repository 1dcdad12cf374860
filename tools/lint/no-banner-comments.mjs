/** A comment made of rulers: a line of dashes, `// === parse ===`. Sections belong in files of their own. */
const RULER = /[-=*#~_]{5}/;

/** @type {import("eslint").Rule.RuleModule} */
export const noBannerComments = {
  meta: { type: "suggestion", schema: [], messages: { banner: "No banner comments: put the section in a file or function with that name." } },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (RULER.test(comment.value) && comment.loc) context.report({ loc: comment.loc, messageId: "banner" });
        }
      },
    };
  },
};

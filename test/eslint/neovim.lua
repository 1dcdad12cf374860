-- Opens a file in Neovim's own client of the ESLint server, and writes what is underlined as JSON lines.
-- Arguments by environment: SERVER (the server's script), NODE, FILES (separated by commas), ROOT, OUTPUT.
local root, output = vim.env.ROOT, vim.env.OUTPUT
local settings = {
  validate = "on", packageManager = "npm", useESLintClass = true, useFlatConfig = true, experimental = { useFlatConfig = false },
  codeAction = { disableRuleComment = { enable = true, location = "separateLine" }, showDocumentation = { enable = true } },
  codeActionOnSave = { mode = "all", enable = false }, format = false, quiet = false, onIgnoredFiles = "off", options = {}, rulesCustomizations = {},
  run = "onType", problems = { shortenToSingleLine = false }, nodePath = "", workingDirectory = { directory = root },
  workspaceFolder = { uri = vim.uri_from_fname(root), name = "project" },
}
local handlers = {
  ["workspace/configuration"] = function(_, result) return vim.tbl_map(function() return settings end, result.items) end,
  ["eslint/confirmESLintExecution"] = function() return 4 end,
  ["eslint/openDoc"] = function() return {} end,
  ["workspace/diagnostic/refresh"] = function() return vim.NIL end,
}
local capabilities = vim.lsp.protocol.make_client_capabilities()
capabilities.workspace.configuration = true

local client_id = vim.lsp.start_client({ name = "eslint", cmd = { vim.env.NODE, vim.env.SERVER, "--stdio" }, root_dir = root, handlers = handlers, capabilities = capabilities })
local lines = {}
for file in vim.gsplit(vim.env.FILES, ",", true) do
  vim.cmd("edit " .. root .. "/" .. file)
  local buffer = vim.api.nvim_get_current_buf()
  vim.lsp.buf_attach_client(buffer, client_id)
  vim.wait(20000, function() return vim.lsp.get_client_by_id(client_id).initialized == true end, 50)
  -- Clients before 0.10 wait for diagnostics to be sent; this server is asked for them.
  local answers = vim.lsp.buf_request_sync(buffer, "textDocument/diagnostic", { textDocument = vim.lsp.util.make_text_document_params(buffer) }, 60000) or {}
  local items = (answers[client_id] and answers[client_id].result or {}).items or {}
  vim.lsp.diagnostic.on_publish_diagnostics(nil, { uri = vim.uri_from_bufnr(buffer), diagnostics = items }, { client_id = client_id, bufnr = buffer }, {})
  for _, one in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(lines, vim.json.encode({ file = file, line = one.lnum, column = one.col, code = one.code, filetype = vim.bo[buffer].filetype }))
  end
end
vim.fn.writefile(lines, output)
vim.cmd("qall!")

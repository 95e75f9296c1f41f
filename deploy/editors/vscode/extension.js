// Starts `drawbridge lsp` for YAML and JSON files.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = function () {
  const settings = workspace.getConfiguration("drawbridge");
  const server = { command: settings.get("path"), args: ["lsp", ...settings.get("args")] };
  client = new LanguageClient("drawbridge", "drawbridge", server, {
    documentSelector: [{ language: "yaml" }, { language: "json" }],
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{yaml,yml,json}") },
  });
  return client.start();
};

exports.deactivate = function () {
  return client && client.stop();
};

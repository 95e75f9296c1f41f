"""A session of a real LSP client, pygls, with `drawbridge lsp`: prints TAP. Run by test_lsp.py in an environment that has pygls.

    client.py DRAWBRIDGE FOLDER
"""
import asyncio, os, pathlib, sys

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tap import Tap

DRIVER = """apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata:
  name: disk.csi.acme.dev
spec:
  fsGroupPolicy: file
  attachRequired: true
"""
CLAIM = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: training
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: 
"""
CLASS = """apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu.acme.dev
"""


async def diagnostics(inbox, uri, version=None):
    """What was published last for the file, of that version."""
    while True:
        params = await asyncio.wait_for(inbox.get(), 10)
        if params.uri == uri and (version is None or params.version == version):
            return list(params.diagnostics)


def edited(text, edits):
    """The text after edits in one file, last first."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True):
        start, end = edit.range.start, edit.range.end
        before, after = lines[start.line][:start.character], lines[end.line][end.character:]
        lines[start.line:end.line + 1] = (before + edit.new_text + after).split("\n")
    return "\n".join(lines)


async def session(tap, program, folder):
    client, inbox = LanguageClient("tests", "1"), asyncio.Queue()

    @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def published(params):
        inbox.put_nowait(params)

    await client.start_io(program, "lsp")
    (pathlib.Path(folder) / "class.yaml").write_text(CLASS)
    root = pathlib.Path(folder).as_uri()
    begun = await client.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), root_uri=root,
                                                               workspace_folders=[lsp.WorkspaceFolder(uri=root, name="test")]))
    tap.equal(begun.server_info.name, "drawbridge", "the server says its name")
    client.initialized(lsp.InitializedParams())

    uri = (pathlib.Path(folder) / "driver.yaml").as_uri()
    document = lsp.TextDocumentIdentifier(uri=uri)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri=uri, language_id="yaml", version=1, text=DRIVER)))
    found = await diagnostics(inbox, uri, 1)
    tap.equal([(item.code, item.range.start.line, item.range.start.character, item.range.end.character) for item in found],
              [("enum", 5, 17, 21)], "diagnostics at the exact value")

    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(text_document=document, range=found[0].range, context=lsp.CodeActionContext(diagnostics=found)))
    tap.equal(edited(DRIVER, actions[0].edit.changes[uri]), DRIVER.replace("file", "File"), "a code action repairs it")
    silent = edited(DRIVER, actions[1].edit.changes[uri])
    tap.equal(silent, DRIVER.replace("  fsGroup", "  # drawbridge: ignore[enum]\n  fsGroup"), "another one writes a comment that silences it")

    change = lsp.TextDocumentContentChangePartial(
        range=lsp.Range(lsp.Position(5, 17), lsp.Position(5, 21)), text="File")
    client.text_document_did_change(lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(version=2, uri=uri), [change]))
    tap.equal(await diagnostics(inbox, uri, 2), [], "an edit ends the diagnostic")

    hover = await client.text_document_hover_async(lsp.HoverParams(text_document=document, position=lsp.Position(5, 4)))
    tap.ok("must be one of ReadWriteOnceWithFSType, File, None" in hover.contents.value, "hover explains the field", hover)
    nothing = await client.text_document_hover_async(lsp.HoverParams(text_document=document, position=lsp.Position(40, 4)))
    tap.equal(nothing, None, "hover says nothing after the end")

    offered = await client.text_document_completion_async(lsp.CompletionParams(text_document=document, position=lsp.Position(5, 17)))
    tap.equal([item.label for item in offered], ["ReadWriteOnceWithFSType", "File", "None"], "completion of the values of an enum")
    offered = await client.text_document_completion_async(lsp.CompletionParams(text_document=document, position=lsp.Position(6, 2)))
    labels = [item.label for item in offered]
    tap.ok("podInfoOnMount" in labels and "fsGroupPolicy" not in labels, "completion of fields that are not there yet", labels)

    claim = (pathlib.Path(folder) / "claim.yaml").as_uri()
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri=claim, language_id="yaml", version=1, text=CLAIM)))
    await diagnostics(inbox, claim, 1)
    offered = await client.text_document_completion_async(
        lsp.CompletionParams(text_document=lsp.TextDocumentIdentifier(uri=claim), position=lsp.Position(9, 25)))
    tap.equal([item.label for item in offered], ["gpu.acme.dev"], "completion of a name from the workspace")

    client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri=claim)))
    tap.equal(await diagnostics(inbox, claim), [], "closing a file ends its diagnostics")
    await client.shutdown_async(None)
    client.exit(None)
    await asyncio.wait_for(client._server.wait(), 10)
    tap.equal(client._server.returncode, 0, "it ends after shutdown and exit")


def main(program, folder):
    tap = Tap()
    asyncio.run(session(tap, program, folder))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

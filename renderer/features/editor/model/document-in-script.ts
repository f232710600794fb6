import { viewInScript, type ScriptView } from '../../../../shared/domain/transcript/edit-in-script.ts';
import type { TranscriptScript } from '../../../../shared/domain/transcript/in-script.ts';
import { ok } from '../../../../shared/result/result.ts';
import type { DocumentState, TextDocument } from './text-document.ts';

interface DocumentInScript {
  readonly document: TextDocument;
  /** How what is stored looks in it. */
  readonly view: ScriptView;
}

const inScripts = new WeakMap<TextDocument, Map<TranscriptScript, DocumentInScript>>();

/**
 * A document as it is read and edited in another alphabet; the same one each time, because it remembers what was typed.
 * There is one history and one text on disk: every edit is made to the shown text and stored in the letters of the
 * document.
 */
export function documentInScript(text: TextDocument, script: TranscriptScript): DocumentInScript {
  const made = inScripts.get(text) ?? new Map<TranscriptScript, DocumentInScript>();
  inScripts.set(text, made);
  const known = made.get(script);
  if (known !== undefined) return known;
  const view = viewInScript(script);
  const inScript = { view, document: script === 'as-written' ? text : documentBy(view, text) };
  made.set(script, inScript);
  return inScript;
}

function documentBy(view: ScriptView, text: TextDocument): TextDocument {
  const states = new WeakMap<DocumentState, DocumentState>();
  const show = (state: DocumentState): DocumentState => {
    const known = states.get(state) ?? { ...state, transcript: view.show(state.transcript) };
    states.set(state, known);
    return known;
  };
  return {
    ...text,
    getState: () => show(text.getState()),
    getInitialState: () => show(text.getInitialState()),
    subscribe: (listener) =>
      text.subscribe((state, before) => {
        listener(show(state), show(before));
      }),
    edit: (label, operation, options) =>
      text.edit(
        label,
        (stored) => {
          const change = operation(view.show(stored));
          return change.ok ? ok(view.store(stored, change.value)) : change;
        },
        options,
      ),
    settle(segmentId) {
      if (!view.settle(text.getState().transcript, segmentId)) return;
      // What is typed next is matched with the words as they are shown now.
      text.endStep();
      text.setState({ isTyped: false });
    },
  };
}

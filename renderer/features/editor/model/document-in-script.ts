import { viewInScript } from '../../../../shared/domain/transcript/edit-in-script.ts';
import type { TranscriptScript } from '../../../../shared/domain/transcript/in-script.ts';
import { ok } from '../../../../shared/result/result.ts';
import type { DocumentState, TextDocument } from './text-document.ts';

/**
 * A document as it is read and edited in another alphabet. There is one history and one text on disk: every edit is made
 * to the shown text and stored in the letters of the document.
 */
export function documentInScript(text: TextDocument, script: TranscriptScript): TextDocument {
  if (script === 'as-written') return text;
  const view = viewInScript(script);
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
  };
}

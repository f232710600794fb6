import { EditorState, TextSelection } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { Schema } from 'prosemirror-model';

/** The page that typing is compared with: one ProseMirror document with a mark for each word, which holds its time. */
declare global {
  interface Window {
    readonly segments: readonly (readonly { readonly text: string; readonly startMs: number }[])[];
  }
}

const schema = new Schema({
  nodes: {
    doc: { content: 'paragraph+' },
    paragraph: { content: 'text*', toDOM: () => ['p', 0], parseDOM: [{ tag: 'p' }] },
    text: {},
  },
  marks: { word: { attrs: { startMs: {} }, inclusive: true, toDOM: () => ['span', 0] } },
});
const doc = schema.node(
  'doc',
  null,
  window.segments.map((words) =>
    schema.node(
      'paragraph',
      null,
      words.map(({ text, startMs }) => schema.text(`${text} `, [schema.mark('word', { startMs })])),
    ),
  ),
);
const place = document.createElement('div');
place.style.cssText = 'height: 700px; width: 900px; overflow: auto';
document.body.append(place);
const view = new EditorView(place, { state: EditorState.create({ doc }) });
view.focus();
view.dispatch(view.state.tr.setSelection(TextSelection.atEnd(doc)).scrollIntoView());

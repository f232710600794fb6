import { Trash2 } from 'lucide-react';
import { useCallback } from 'react';
import { deleteSegments } from '../../../shared/domain/transcript/edit-segments.ts';
import { useText } from '../../lib/text.ts';
import { useEditor } from './editor-context.ts';
import { caretNow } from './ui/caret.ts';
import { useStepNotice } from './use-step-notice.ts';

/** Deletes segments that follow one another, as one step with a notice, and leaves the caret in the next one. */
export function useDeleteSegments(): (ids: readonly string[]) => void {
  const t = useText();
  const { document: text, store } = useEditor();
  const showStep = useStepNotice();
  return useCallback(
    (ids) => {
      const gone = new Set(ids);
      const { segments } = text.getState().transcript;
      const first = segments.findIndex(({ id }) => gone.has(id));
      const [before, after] = [segments[first - 1], segments[first + gone.size]];
      const caretAfter =
        after !== undefined
          ? { segmentId: after.id, offset: 0 }
          : before !== undefined
            ? { segmentId: before.id, offset: before.text.length }
            : null;
      text.endStep();
      const carets = { caretBefore: caretNow(), caretAfter };
      const refused = text.edit('delete', (now) => deleteSegments(now, gone), carets);
      store.select(null);
      if (refused !== null) return;
      text.setState({ caret: caretAfter });
      showStep({ icon: Trash2, text: t('editor.text.deleted', { count: ids.length }) });
    },
    [t, text, store, showStep],
  );
}

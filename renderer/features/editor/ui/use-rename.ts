import { useMutation, useQueryClient } from '@tanstack/react-query';
import { spellName } from '../../../../shared/domain/text/uzbek-letters.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { transcriptListKey } from '../../../parts/transcripts/transcripts-query.ts';
import { useEditor } from '../editor-context.ts';
import { transcriptQuery } from '../queries.ts';

export type SaveState =
  | { readonly kind: 'saved' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'not-saved'; readonly words: string; readonly retry: () => void };

/** The title in the letters of the text, and whether main has saved it. */
export function useRename() {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const words = useFailureWords();
  const { detail, view } = useEditor();
  const { mutate, variables, isPending, error } = useMutation({
    mutationFn: (title: string) =>
      valueOrThrow(studio.request('transcripts.rename', { transcriptId: detail.id, title })),
    onSuccess: ({ title }) => {
      queries.setQueryData(transcriptQuery(studio, detail.id).queryKey, (known) => known && { ...known, title });
      void queries.invalidateQueries({ queryKey: transcriptListKey });
    },
  });
  const failure = failureOf(error);
  const saveState: SaveState = isPending
    ? { kind: 'saving' }
    : error === null
      ? { kind: 'saved' }
      : {
          kind: 'not-saved',
          words: failure === null ? t('editor.title.notSaved') : words(failure).text,
          retry: () => {
            if (variables !== undefined) mutate(variables);
          },
        };
  const isShownAhead = (isPending || error !== null) && variables !== undefined;
  return {
    title: view.showName(isShownAhead ? variables : detail.title),
    saveState,
    rename: (typed: string) => {
      mutate(view.storeName(spellName(detail.transcript.language, typed)));
    },
  };
}

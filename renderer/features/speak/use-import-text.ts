import { useCallback } from 'react';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useText } from '../../lib/text.ts';
import { useToast } from '../../ui/toast.tsx';
import { useSpeaking } from './speak-context.tsx';

/** Puts the words of a file into the text: of one that was dropped, or chosen in the system's dialog. Undo takes it back. */
export function useImportText(): (dropped: File | null) => void {
  const t = useText();
  const studio = useStudio();
  const words = useFailureWords();
  const showToast = useToast();
  const { store } = useSpeaking();
  return useCallback(
    (dropped) => {
      const read = async () => {
        const token = dropped === null ? null : await studio.fileTokenFor(dropped);
        if (token !== null && !token.ok) return token;
        return studio.request('speak.importText', { token: token === null ? null : token.value });
      };
      void read().then((answer) => {
        if (!answer.ok) {
          showToast({ text: `${t('speak.importFailed')}. ${words(answer.error).text}` });
          return;
        }
        const { imported } = answer.value;
        const { document } = store.getState();
        if (imported === null || document === null) return;
        const isEmpty = document.text.trim() === '';
        store.setText(isEmpty ? imported.text : `${document.text.trimEnd()}\n\n${imported.text}`, { isTyping: false });
        const title = imported.name.replace(/\.[^.]+$/u, '').slice(0, 300);
        if (isEmpty && document.title === '') store.patchDocument({ title });
        showToast({
          text: t('speak.imported', { name: imported.name }),
          action: { text: t('speak.undo'), onPress: () => store.setText(document.text, { isTyping: false }) },
        });
      });
    },
    [studio, store, t, words, showToast],
  );
}

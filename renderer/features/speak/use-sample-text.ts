import { useFailureWords } from '../../lib/failure-words.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { useToast } from '../../ui/toast.tsx';
import { useSpeaking } from './speak-context.tsx';

interface Sample {
  readonly segments: readonly { readonly speaker: string; readonly text: string }[];
}

const read: Readonly<Record<SpeechLanguage, () => Promise<Sample>>> = {
  uz: () =>
    import('../../../assets/samples/interview-uz.json', { with: { type: 'json' } }).then((file) => file.default),
  ru: () => import('../../../assets/samples/lecture-ru.json', { with: { type: 'json' } }).then((file) => file.default),
  en: () => import('../../../assets/samples/podcast-en.json', { with: { type: 'json' } }).then((file) => file.default),
};

/** The text of a sample recording, a paragraph for each turn. */
const textOf = ({ segments }: Sample): string =>
  segments.reduce(
    (text, { speaker, text: said }, at) =>
      at === 0 ? said : `${text}${segments[at - 1]?.speaker === speaker ? ' ' : '\n\n'}${said}`,
    '',
  );

/** Inserts the text of the sample recording in the text's language: into an empty text, or into a new one. */
export function useSampleText(): () => void {
  const { store } = useSpeaking();
  const showToast = useToast();
  const words = useFailureWords();
  return () => {
    const put = async () => {
      const { document } = store.getState();
      if (document === null) return;
      const text = textOf(await read[document.defaults.language]());
      if (document.text.trim() !== '' && !(await store.create())) return;
      store.setText(text, { isTyping: false });
    };
    put().catch(() => showToast({ text: words(makeFailure('E-230')).text }));
  };
}

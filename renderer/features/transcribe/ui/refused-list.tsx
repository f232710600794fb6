import { FileX2, X } from 'lucide-react';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useTranscribe, useTranscribeState } from '../transcribe-context.ts';
import css from './refused-list.module.css';

/** The name stands before the reason already. */
function withoutName(failure: Failure): Failure {
  const { name: _, ...params } = failure.params ?? {};
  return { ...failure, params };
}

/** Every file that was left out, with its reason, until the person hides it. */
export function RefusedList() {
  const t = useText();
  const words = useFailureWords();
  const { store } = useTranscribe();
  const refused = useTranscribeState((state) => state.refused);
  if (refused.length === 0) return null;
  return (
    <section
      role="alert"
      className={css['refused']}
      aria-label={t('transcribe.refused.title', { count: refused.length })}
    >
      <div className={css['header']}>
        <FileX2 aria-hidden size={16} strokeWidth={1.75} />
        <h2 className={css['title']}>{t('transcribe.refused.title', { count: refused.length })}</h2>
        <Button size="sm" variant="ghost" onPress={store.hideAllRefused}>
          {t('transcribe.refused.all')}
        </Button>
      </div>
      <ul className={css['list']}>
        {refused.map(({ key, name, failure }) => (
          <li key={key} className={css['file']}>
            <div className={css['words']}>
              <b className={css['name']}>{name}</b>
              <span>{words(withoutName(failure)).text}</span>
            </div>
            <IconButton
              size="sm"
              icon={X}
              label={`${t('transcribe.refused.one')}: ${name}`}
              onPress={() => {
                store.hideRefused(key);
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

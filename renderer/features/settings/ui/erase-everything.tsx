import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { isTypedAs } from '../../../../shared/domain/text/uzbek-letters.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import css from './settings-pages.module.css';
import { SettingRow } from './settings-group.tsx';

/** Erases all data of the app after a word is typed. Main then returns to the first screen, and so does this page. */
export function EraseEverything() {
  const t = useText();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <SettingRow label={t('settings.privacy.all.title')} hint={t('settings.privacy.all.hint')}>
      <Button
        variant="danger"
        onPress={() => {
          setIsAsking(true);
        }}
      >
        {t('settings.privacy.all.open')}
      </Button>
      {isAsking && (
        <EraseDialog
          onClose={() => {
            setIsAsking(false);
          }}
        />
      )}
    </SettingRow>
  );
}

function EraseDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const studio = useStudio();
  const [, navigate] = useLocation();
  const words = useFailureWords();
  const [typed, setTyped] = useState('');
  const [isErasing, setIsErasing] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const word = t('settings.privacy.all.word');
  const isTyped = isTypedAs(word, typed);
  const erase = async () => {
    if (!isTyped || isErasing) return;
    setIsErasing(true);
    setFailure(null);
    const answer = await studio.request('storage.eraseEverything', { typed });
    setIsErasing(false);
    if (answer.ok) navigate('/');
    else setFailure(answer.error);
  };
  return (
    <Question
      isDanger
      isOpen
      staysOpen
      title={t('settings.privacy.all.question')}
      confirm={t('settings.privacy.all.confirm')}
      isDisabled={!isTyped}
      isLoading={isErasing}
      onClose={onClose}
      onConfirm={() => void erase()}
      controls={
        <div className={css['question']}>
          <Field
            label={t('settings.privacy.all.type', { word })}
            value={typed}
            onChange={setTyped}
            onEnter={() => void erase()}
          />
          {failure && (
            <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
              {words(failure).text}
            </Banner>
          )}
        </div>
      }
    >
      {t('settings.privacy.all.text')}
    </Question>
  );
}

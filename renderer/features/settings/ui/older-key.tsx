import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, ClipboardPaste, KeyRound, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Failure } from '../../../../shared/result/failure.ts';
import { acceptConnection, useConnection } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import css from './older-key.module.css';
import { SettingRow } from './settings-group.tsx';

/** The key of the older generation: how it ends, never more. */
export function OlderKey() {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const words = useFailureWords();
  const { olderKey } = useConnection();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isForgetting, setIsForgetting] = useState(false);
  const ask = async (method: 'olderKey.paste' | 'olderKey.forget') => {
    setFailure(null);
    const answer = await studio.request(method, {});
    if (answer.ok) {
      acceptConnection(queries, studio, answer.value);
      await queries.invalidateQueries({ queryKey: ['connection-report'] });
    } else setFailure(answer.error);
  };
  return (
    <>
      <SettingRow label={t('network.older.title')} hint={t('network.older.hint')}>
        <span className={css['state']}>
          {olderKey.present ? t('network.older.masked', { suffix: olderKey.maskedSuffix }) : t('network.older.none')}
        </span>
        <Button icon={KeyRound} onPress={() => void studio.request('olderKey.enter', {})}>
          {t('network.older.enter')}
        </Button>
        <IconButton
          variant="default"
          icon={ClipboardPaste}
          label={t('network.older.paste')}
          onPress={() => void ask('olderKey.paste')}
        />
        {olderKey.present && (
          <IconButton
            variant="default"
            icon={Trash2}
            label={t('network.older.forget')}
            onPress={() => {
              setIsForgetting(true);
            }}
          />
        )}
      </SettingRow>
      {failure && (
        <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
          {words(failure).textAfterTitle}
        </Banner>
      )}
      <Question
        isDanger
        title={t('network.older.forgetQuestion')}
        confirm={t('network.older.forget')}
        cancel={t('common.cancel')}
        isOpen={isForgetting}
        onCancel={() => {
          setIsForgetting(false);
        }}
        onConfirm={() => {
          setIsForgetting(false);
          void ask('olderKey.forget');
        }}
      >
        {t('network.older.forgetText')}
      </Question>
    </>
  );
}

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
import css from './settings-pages.module.css';
import { SettingRow } from './settings-group.tsx';

/** The key of the legacy API: its last characters, never more. */
export function LegacyKey() {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const words = useFailureWords();
  const { legacyKey } = useConnection();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isForgetting, setIsForgetting] = useState(false);
  const ask = async (method: 'legacyKey.paste' | 'legacyKey.forget') => {
    setFailure(null);
    const answer = await studio.request(method, {});
    if (answer.ok) {
      acceptConnection(queries, studio, answer.value);
      await queries.invalidateQueries({ queryKey: ['connection-report'] });
    } else setFailure(answer.error);
  };
  return (
    <>
      <SettingRow label={t('network.legacy.title')} hint={t('network.legacy.hint')}>
        <span className={css['keyState']}>
          {legacyKey.present
            ? t('network.legacy.masked', { suffix: legacyKey.maskedSuffix })
            : t('network.legacy.none')}
        </span>
        <Button icon={KeyRound} onPress={() => void studio.request('legacyKey.enter', {})}>
          {t('network.legacy.enter')}
        </Button>
        <IconButton
          variant="default"
          icon={ClipboardPaste}
          label={t('network.legacy.paste')}
          onPress={() => void ask('legacyKey.paste')}
        />
        {legacyKey.present && (
          <IconButton
            variant="default"
            icon={Trash2}
            label={t('network.legacy.forget')}
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
        title={t('network.legacy.forgetQuestion')}
        confirm={t('network.legacy.forget')}
        isOpen={isForgetting}
        onClose={() => {
          setIsForgetting(false);
        }}
        onConfirm={() => void ask('legacyKey.forget')}
      >
        {t('network.legacy.forgetText')}
      </Question>
    </>
  );
}

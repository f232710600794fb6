import { useState } from 'react';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { removableOf, type CleanablePart, type useStorage } from '../model/use-storage.ts';
import { SettingRow } from './settings-group.tsx';

/** How much removing a part would free, and its removal after a question. */
export function CleanRow({
  part,
  storage,
}: {
  readonly part: CleanablePart;
  readonly storage: ReturnType<typeof useStorage>;
}) {
  const t = useText();
  const formats = useFormats();
  const [isAsking, setIsAsking] = useState(false);
  const bytes = removableOf(storage.use, part);
  const title = t(`settings.storage.${part}.title`);
  return (
    <SettingRow label={title} hint={t(`settings.storage.${part}.hint`, { size: formats.bytes(bytes) })}>
      <Button
        label={
          bytes === 0
            ? `${t('settings.storage.nothing')}: ${title}`
            : `${t('settings.storage.removeQuestion')} ${title}`
        }
        isDisabled={bytes === 0}
        isLoading={storage.cleaning === part}
        onPress={() => {
          setIsAsking(true);
        }}
      >
        {t(bytes === 0 ? 'settings.storage.nothing' : 'settings.storage.removeQuestion')}
      </Button>
      <Question
        isDanger
        title={t(`settings.storage.${part}.question`)}
        confirm={part === 'practice' ? t('settings.storage.practice.confirm') : t('settings.storage.remove')}
        isOpen={isAsking}
        onClose={() => {
          setIsAsking(false);
        }}
        onConfirm={() => void storage.clean(part)}
      >
        {t(`settings.storage.${part}.text`)}
      </Question>
    </SettingRow>
  );
}

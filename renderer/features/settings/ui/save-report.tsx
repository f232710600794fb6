import { useSaveDiagnostics } from '../../../bridge/use-save-diagnostics.ts';
import { failureOf } from '../../../bridge/request-error.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Hint, SettingRow } from './settings-group.tsx';

/** A support report, and what it does not contain. */
export function SaveReport() {
  const t = useText();
  const words = useFailureWords();
  const save = useSaveDiagnostics();
  const failure = save.error === null ? null : failureOf(save.error);
  return (
    <>
      <SettingRow label={t('settings.privacy.report')} hint={t('settings.privacy.reportHint')}>
        <Button
          isLoading={save.isPending}
          onPress={() => {
            save.mutate();
          }}
        >
          {t('settings.privacy.reportSave')}
        </Button>
      </SettingRow>
      <div aria-live="polite">
        {failure !== null && <Hint>{words(failure).text}</Hint>}
        {typeof save.data?.savedAs === 'string' && (
          <Hint>{t('settings.privacy.reportSaved', { name: save.data.savedAs })}</Hint>
        )}
      </div>
    </>
  );
}

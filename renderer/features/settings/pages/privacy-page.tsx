import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { isTypedAs } from '../../../../shared/domain/text/uzbek-letters.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { failureOf } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useSaveDiagnostics } from '../../../bridge/use-save-diagnostics.ts';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText } from '../../../lib/text.ts';
import { DeleteQuestion, type DeletableTranscript } from '../../../parts/deletion/delete-question.tsx';
import { TranscriptChooser } from '../../../parts/transcripts/transcript-chooser.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Hint, Setting, SettingRow, SettingsGroup, SwitchSetting } from '../ui/settings-group.tsx';
import css from '../ui/settings-pages.module.css';
import { CleanRow, StorageNews, useStorage } from '../ui/storage-parts.tsx';

const kept = ['transcripts', 'recordings', 'key', 'log'] as const;
const sent = ['service', 'practice', 'others', 'microphone'] as const;

export function PrivacyPage() {
  const t = useText();
  const storage = useStorage();
  return (
    <>
      <SettingsGroup title={t('settings.privacy.keptGroup')} name="kept">
        <StatementList
          statements={kept.map((one) => [t(`settings.privacy.kept.${one}`), t(`settings.privacy.kept.${one}Text`)])}
        />
      </SettingsGroup>
      <SettingsGroup title={t('settings.privacy.sentGroup')} name="sent">
        <StatementList
          statements={sent.map((one) => [t(`settings.privacy.sent.${one}`), t(`settings.privacy.sent.${one}Text`)])}
        />
      </SettingsGroup>
      <SettingsGroup title={t('settings.privacy.logGroup')}>
        <SwitchSetting name="keepLog" of="keepsLog" />
      </SettingsGroup>
      <SettingsGroup title={t('settings.privacy.reportGroup')} name="report">
        <SaveReport />
      </SettingsGroup>
      <SettingsGroup title={t('deletion.group')} name="deleteOne">
        <DeleteTranscripts />
      </SettingsGroup>
      <SettingsGroup title={t('settings.privacy.eraseGroup')}>
        <CleanRow part="practice" storage={storage} />
        <Setting name="erase">
          <EraseEverything />
        </Setting>
        <StorageNews storage={storage} />
      </SettingsGroup>
    </>
  );
}

function StatementList({ statements }: { readonly statements: readonly (readonly [about: string, text: string])[] }) {
  return (
    <dl>
      {statements.map(([about, text]) => (
        <div key={about} className={css['statement']}>
          <dt>{about}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function SaveReport() {
  const t = useText();
  const words = useFailureText();
  const save = useSaveDiagnostics();
  const failure = save.error === null ? null : failureOf(save.error);
  return (
    <>
      <SettingRow label={t('settings.privacy.report')} hint={t('settings.privacy.reportHint')}>
        <Button isLoading={save.isPending} onPress={() => save.mutate()}>
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

type Step = { readonly tag: 'closed' | 'list' } | { readonly tag: 'asking'; readonly transcript: DeletableTranscript };

function DeleteTranscripts() {
  const t = useText();
  const [step, setStep] = useState<Step>({ tag: 'closed' });
  const show = (tag: 'closed' | 'list') => () => setStep({ tag });
  return (
    <SettingRow label={t('deletion.title')} hint={t('deletion.hint')}>
      <Button onPress={show('list')}>{t('deletion.open')}</Button>
      {step.tag === 'list' && (
        <TranscriptChooser
          title={t('deletion.dialog')}
          onClose={show('closed')}
          onChoose={(transcript) => setStep({ tag: 'asking', transcript })}
        />
      )}
      {step.tag === 'asking' && (
        <DeleteQuestion transcript={step.transcript} onClose={show('list')} onDeleted={show('list')} />
      )}
    </SettingRow>
  );
}

/** Erases all data of the app after a word is typed. Main then returns to the first screen, and so does this page. */
function EraseEverything() {
  const t = useText();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <SettingRow label={t('settings.privacy.all.title')} hint={t('settings.privacy.all.hint')}>
      <Button variant="danger" onPress={() => setIsAsking(true)}>
        {t('settings.privacy.all.open')}
      </Button>
      {isAsking && <EraseDialog onClose={() => setIsAsking(false)} />}
    </SettingRow>
  );
}

function EraseDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const studio = useStudio();
  const [, navigate] = useLocation();
  const words = useFailureText();
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
        <div className="column gap-14">
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

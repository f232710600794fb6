import { CloudUpload } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { expectedCredits } from '../../../../shared/domain/ledger/expected-cost.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { lengthClock } from '../../../../shared/domain/time/time-code.ts';
import { useConnection, useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useCreditRate } from '../../../bridge/use-credits.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useChooseMode } from '../../../parts/connection/use-connection-form.ts';
import { Button } from '../../../ui/button.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useEditor } from '../editor-context.ts';
import css from './inspector.module.css';

/** The transcript whose order goes on once the service is in use: a change of the mode opens the screen anew. */
let ordersNext: string | null = null;

/** Orders the recording of a text that was made on this computer from the service; both texts are kept. */
export function TranscribeByService() {
  const t = useText();
  const formats = useFormats();
  const words = useFailureWords();
  const studio = useStudio();
  const [, navigate] = useLocation();
  const { detail } = useEditor();
  const { mode, key } = useConnection();
  const settings = useSettings();
  const rate = useCreditRate();
  const { choose } = useChooseMode();
  const isService = mode === 'service';
  const [isAsking, setIsAsking] = useState(isService && ordersNext === detail.id);
  const [includeSpeakers, setIncludeSpeakers] = useState(settings.includeSpeakers);
  const [trouble, setTrouble] = useState<string | null>(null);
  const hasRecording = detail.recordingName !== null && detail.mediaUrl !== null;
  if (mode === 'unset' || modeOf(mode).isPractice || detail.madeBy?.origin !== 'local' || !hasRecording) return null;
  const { durationMs, language } = detail.transcript;
  const credits = expectedCredits([{ durationMs, sizeBytes: 0 }], rate);

  const order = async () => {
    const options = { kind: 'transcribe', language, includeSpeakers } as const;
    const added = await studio.request('jobs.addRecordingOf', { transcriptId: detail.id, options });
    const refused = added.ok ? added.value.refused[0]?.failure : added.error;
    if (refused === undefined) navigate('/transcribe');
    else setTrouble(words(refused).text);
  };
  return (
    <section className={css['footer']} aria-label={t('editor.byService.button')}>
      <Button
        icon={CloudUpload}
        onPress={() => {
          if (key.present) setIsAsking(true);
          else navigate('/account');
        }}
      >
        {t('editor.byService.button')}
      </Button>
      <p>{t(key.present ? 'editor.byService.hint' : 'editor.byService.needsKey')}</p>
      {trouble !== null && <output>{trouble}</output>}
      <Question
        isOpen={isAsking}
        title={t('editor.byService.title')}
        confirm={t(isService ? 'editor.byService.confirm' : 'editor.byService.change')}
        onClose={() => {
          ordersNext = null;
          setIsAsking(false);
        }}
        onConfirm={() => {
          if (isService) void order();
          else {
            ordersNext = detail.id;
            void choose('service');
          }
        }}
        controls={
          isService && (
            <Switch label={t('editor.byService.speakers')} isOn={includeSpeakers} onChange={setIncludeSpeakers} />
          )
        }
      >
        {isService
          ? t(credits === null ? 'editor.byService.unpriced' : 'editor.byService.priced', {
              length: lengthClock(durationMs),
              amount: formats.number(credits === null ? 0 : Math.ceil(credits)),
              count: credits === null ? 0 : Math.ceil(credits),
            })
          : t('editor.byService.changeText')}
      </Question>
    </section>
  );
}

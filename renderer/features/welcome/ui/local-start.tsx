import { ArrowRight, FolderOpen, Laptop } from 'lucide-react';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useText } from '../../../lib/text.ts';
import { ModelSteps } from '../../../parts/models/model-steps.tsx';
import { isModelHere, useLocalModels } from '../../../parts/models/use-local-models.ts';
import { Button } from '../../../ui/button.tsx';
import css from '../welcome-screen.module.css';

export interface LocalStartProps {
  /** It has the only primary button. */
  readonly isMain: boolean;
  readonly isStarting: boolean;
  /** The user turned to this answer. */
  readonly onAway: () => void;
  readonly onOpen: (andThen?: (spoken: SpeechLanguage) => void) => void;
}

/** Recognition on this computer: what it is, the model it needs, and the way in, with or without it. */
export function LocalStart({ isMain, isStarting, onAway, onOpen }: LocalStartProps) {
  const t = useText();
  const studio = useStudio();
  const models = useLocalModels();
  const { known } = models;
  const variant = isMain ? 'primary' : 'default';

  const pickRecording = (language: SpeechLanguage) =>
    void studio.request('jobs.addPicked', {
      from: 'files',
      options: { kind: 'transcribe', language, includeSpeakers: false },
    });
  return (
    <section className={css['card']} data-main={isMain || undefined} aria-label={t('welcome.local.title')}>
      <Laptop aria-hidden size={20} strokeWidth={1.75} />
      <div className={css['words']}>
        <h2>{t('welcome.local.title')}</h2>
        <p>{t('welcome.local.text')}</p>
      </div>
      <div className={css['form']}>
        {isModelHere(known) ? (
          <>
            <output>{t(known?.hasOwn ? 'welcome.local.own' : 'welcome.local.ready')}</output>
            <div className={css['actions']}>
              <Button
                variant={variant}
                size="lg"
                icon={FolderOpen}
                isLoading={isStarting}
                onPress={() => {
                  onOpen(pickRecording);
                }}
              >
                {t('welcome.local.choose')}
              </Button>
              <Button
                size="lg"
                variant="ghost"
                onPress={() => {
                  onOpen();
                }}
              >
                {t('welcome.openStudio')}
              </Button>
            </div>
          </>
        ) : (
          <ModelSteps
            models={models}
            text={t('welcome.local.what')}
            size="lg"
            isMain={isMain}
            meanwhile={
              <Button
                variant={variant}
                size="lg"
                iconAfter={ArrowRight}
                isLoading={isStarting}
                onPress={() => {
                  onOpen();
                }}
              >
                {t('welcome.openStudio')}
              </Button>
            }
            onBegin={onAway}
          />
        )}
      </div>
    </section>
  );
}

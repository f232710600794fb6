import { ArrowRight, Download, FolderOpen, Laptop } from 'lucide-react';
import { useState } from 'react';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { ModelProgress } from '../../../parts/models/model-progress.tsx';
import { useLocalModels } from '../../../parts/models/use-local-models.ts';
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
  const formats = useFormats();
  const words = useFailureWords();
  const studio = useStudio();
  const { known, get, pause, add, dismissRefused } = useLocalModels();
  const [hasNoFiles, setHasNoFiles] = useState(false);
  const model = known?.models[0];
  const isHere = known?.hasOwn === true || known?.models.some(({ state }) => state === 'here') === true;
  const isComing = model?.state === 'downloading' || model?.state === 'checking';
  const variant = isMain ? 'primary' : 'default';

  const choose = async () => {
    onAway();
    dismissRefused();
    const added = await add();
    setHasNoFiles(added?.foundCount === 0);
  };
  const pickRecording = (language: SpeechLanguage) =>
    void studio.request('jobs.addPicked', {
      from: 'files',
      options: { kind: 'transcribe', language, includeSpeakers: false },
    });
  const openButton = (
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
  );
  return (
    <section className={css['card']} data-main={isMain || undefined} aria-label={t('welcome.local.title')}>
      <Laptop aria-hidden size={20} strokeWidth={1.75} />
      <div className={css['words']}>
        <h2>{t('welcome.local.title')}</h2>
        <p>{t('welcome.local.text')}</p>
      </div>
      <div className={css['form']}>
        {isHere ? (
          <>
            <output>{t(known.hasOwn ? 'welcome.local.own' : 'welcome.local.ready')}</output>
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
        ) : model === undefined ? null : isComing || model.state === 'partial' ? (
          <>
            <ModelProgress model={model} />
            <div className={css['actions']}>
              {openButton}
              {model.state === 'partial' && (
                <Button
                  size="lg"
                  onPress={() => {
                    get(model.id);
                  }}
                >
                  {t('models.resume')}
                </Button>
              )}
              {model.state === 'downloading' && (
                <Button
                  variant="ghost"
                  size="lg"
                  onPress={() => {
                    pause(model.id);
                  }}
                >
                  {t('models.pause')}
                </Button>
              )}
            </div>
            <p className={css['fine']}>{t('welcome.local.goesOn')}</p>
          </>
        ) : (
          <>
            <p>{t('welcome.local.what')}</p>
            <div className={css['actions']}>
              <Button
                variant={variant}
                size="lg"
                icon={Download}
                onPress={() => {
                  onAway();
                  get(model.id);
                }}
              >
                {t('models.getSized', { size: formats.bytes(model.totalBytes) })}
              </Button>
              <Button variant="ghost" size="lg" onPress={() => void choose()}>
                {t('models.have')}
              </Button>
            </div>
            <p className={css['fine']}>{t('models.whence', { source: model.source, licence: model.licence })}</p>
          </>
        )}
        {model?.failure && !isHere && !isComing && <p role="alert">{words(model.failure).text}</p>}
        {model?.state === 'too-little-memory' && !isHere && (
          <p role="alert">{t('models.tooLittleMemory', { needed: formats.bytes(model.leastMemoryBytes) })}</p>
        )}
        {hasNoFiles && <p role="alert">{t('models.noFiles')}</p>}
        {known !== null && known.refused.length > 0 && !isHere && <p role="alert">{t('models.unknownFiles')}</p>}
      </div>
    </section>
  );
}

import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { ModelProgress } from './model-progress.tsx';
import css from './model-steps.module.css';
import { type useLocalModels } from './use-local-models.ts';

export interface ModelStepsProps {
  readonly models: ReturnType<typeof useLocalModels>;
  /** What it is for, said while it is not coming yet. */
  readonly text: string;
  readonly size?: ButtonProps['size'];
  /** It has the only primary button. */
  readonly isMain: boolean;
  /** The first button while the model comes. */
  readonly meanwhile?: ReactNode;
  /** The user begins to get it. */
  readonly onBegin?: () => void;
}

/** The way to a model that is not here: what it is, whom it comes from, how far it is, and the buttons of its state. */
export function ModelSteps({ models, text, size = 'md', isMain, meanwhile, onBegin }: ModelStepsProps) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureWords();
  const { known, get, pause, add, trouble, dismissRefused } = models;
  const offered = known?.models ?? [];
  const isComing = offered.some(({ state }) => state === 'downloading' || state === 'checking');
  const model =
    offered.find(({ state }) => state === 'downloading' || state === 'checking') ??
    offered.find(({ state }) => state === 'partial') ??
    offered[0];
  if (known === null || model === undefined) return null;
  const right = known.refused.find(({ missing }) => missing !== null);

  const choose = async () => {
    onBegin?.();
    dismissRefused();
    await add();
  };
  return (
    <div className={css['steps']}>
      {isComing || model.state === 'partial' ? (
        <>
          <ModelProgress model={model} />
          <div className={css['actions']}>
            {meanwhile}
            {model.state === 'partial' && (
              <Button size={size} onPress={() => get(model.id)}>
                {t('models.resume')}
              </Button>
            )}
            {model.state === 'downloading' && (
              <Button variant="ghost" size={size} onPress={() => pause(model.id)}>
                {t('models.pause')}
              </Button>
            )}
          </div>
          <p className={css['fine']}>{t('models.goesOn')}</p>
        </>
      ) : (
        <>
          <p>{text}</p>
          <div className={css['actions']}>
            <Button
              variant={isMain ? 'primary' : 'default'}
              size={size}
              icon={Download}
              onPress={() => {
                onBegin?.();
                get(model.id);
              }}
            >
              {t('models.getSized', { size: formats.bytes(model.totalBytes) })}
            </Button>
            <Button variant="ghost" size={size} onPress={() => void choose()}>
              {t('models.have')}
            </Button>
          </div>
          <p className={css['fine']}>{t('models.whence', { source: model.source, licence: model.licence })}</p>
        </>
      )}
      {model.failure && !isComing && <p role="alert">{words(model.failure).text}</p>}
      {model.state === 'too-little-memory' && (
        <p role="alert">{t('models.tooLittleMemory', { needed: formats.bytes(model.leastMemoryBytes) })}</p>
      )}
      {trouble !== null && <p role="alert">{trouble === 'no-files' ? t('models.noFiles') : words(trouble).text}</p>}
      {right !== undefined ? (
        <p role="alert">{t('models.incomplete', { name: right.name, missing: right.missing ?? '' })}</p>
      ) : (
        known.refused.length > 0 && <p role="alert">{t('models.unknownFiles')}</p>
      )}
    </div>
  );
}

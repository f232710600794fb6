import { Download, Laptop } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useFailureText } from '../../lib/failure-text.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import css from './model-steps.module.css';
import type { LocalModelView } from '../../bridge/types.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { StudioClient } from '../../bridge/client.ts';
import { valueOrThrow } from '../../bridge/request-error.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';

export interface ModelStepsProps {
  readonly models: ReturnType<typeof useLocalModels>;
  readonly text: string;
  readonly size?: ButtonProps['size'];
  readonly isMain: boolean;
  readonly meanwhile?: ReactNode;
  readonly onBegin?: () => void;
}

export function ModelSteps({ models, text, size = 'md', isMain, meanwhile, onBegin }: ModelStepsProps) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureText();
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
    <div className="column gap-12">
      {isComing || model.state === 'partial' ? (
        <>
          <ModelProgress model={model} />
          <div className="flow gap-8">
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
          <p className="text-sm subtle">{t('models.goesOn')}</p>
        </>
      ) : (
        <>
          <p>{text}</p>
          <div className="flow gap-8">
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
          <p className="text-sm subtle">{t('models.whence', { source: model.source, licence: model.licence })}</p>
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

export function ModelProgress({ model }: { readonly model: LocalModelView }) {
  const t = useText();
  const formats = useFormats();
  const { bytes, totalBytes, bytesPerSecond, state } = model;
  const fraction = totalBytes === 0 ? 0 : bytes / totalBytes;
  const leftMs = bytesPerSecond === null ? null : ((totalBytes - bytes) / bytesPerSecond) * 1000;
  const title = t(`models.states.${state}`);
  return (
    <div className="column gap-6">
      <div className={css['line']}>
        <span>{title}</span>
        {state !== 'checking' && <span className="digits">{formats.percent(fraction)}</span>}
      </div>
      <ProgressBar
        label={title}
        progress={
          state === 'checking'
            ? { tag: 'indeterminate' }
            : { tag: state === 'partial' ? 'paused' : 'determinate', fraction }
        }
      />
      <div className={css['line']}>
        <span className="digits">
          {t('models.came', { done: formats.bytes(bytes), total: formats.bytes(totalBytes) })}
          {bytesPerSecond !== null && ` · ${t('models.speed', { size: formats.bytes(bytesPerSecond) })}`}
        </span>
        {leftMs !== null && state === 'downloading' && (
          <span className="digits">{t('models.left', { time: formats.roughDuration(leftMs) })}</span>
        )}
      </div>
    </div>
  );
}

interface MissingModelProps {
  readonly models: ReturnType<typeof useLocalModels>;
  readonly text: string;
}

export function MissingModel({ models, text }: MissingModelProps) {
  const t = useText();
  return (
    <section className={css['card']} aria-label={t('models.needTitle')}>
      <Laptop aria-hidden size={20} strokeWidth={1.75} />
      <div className={css['words']}>
        <h2>{t('models.needTitle')}</h2>
        <ModelSteps models={models} text={text} isMain />
      </div>
    </section>
  );
}

const key = ['models'] as const;

const modelsQuery = (studio: StudioClient) =>
  queryOptions({ queryKey: key, queryFn: () => valueOrThrow(studio.request('models.list', {})), retry: false });

export function useLocalModels(isEnabled = true) {
  const studio = useStudio();
  const queries = useQueryClient();
  const [trouble, setTrouble] = useState<Failure | 'no-files' | null>(null);
  const { data } = useQuery({ ...modelsQuery(studio), enabled: isEnabled });
  useEffect(
    () => studio.subscribe('models.changed', () => void queries.invalidateQueries({ queryKey: key })),
    [studio, queries],
  );
  return {
    known: data ?? null,
    get: (id: string) => {
      setTrouble(null);
      void studio.request('models.get', { id });
    },
    pause: (id: string) => void studio.request('models.pause', { id }),
    remove: (id: string) => void studio.request('models.remove', { id }),
    add: async () => {
      setTrouble(null);
      const answer = await studio.request('models.add', {});
      if (!answer.ok) setTrouble(answer.error);
      else if (answer.value?.foundCount === 0) setTrouble('no-files');
    },
    trouble,
    dismissRefused: () => void studio.request('models.dismissRefused', {}),
  };
}

export const isModelHere = (known: ReturnType<typeof useLocalModels>['known']): boolean =>
  known !== null && (known.hasOwn || known.models.some(({ state }) => state === 'here'));

/** Null unless this computer does the work and has no model. */
export function useMissingModels() {
  const isLocal = modeOf(useSettings().mode).origin === 'local';
  const models = useLocalModels(isLocal);
  return isLocal && models.known !== null && !isModelHere(models.known) ? models : null;
}

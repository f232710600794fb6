import { Laptop } from 'lucide-react';
import { useText } from '../../lib/text.ts';
import css from './model-steps.module.css';
import { ModelSteps } from './model-steps.tsx';
import type { useLocalModels } from './use-local-models.ts';

/** In place of what can't be done before a model is here. */
export function MissingModel({
  models,
  text,
}: {
  readonly models: ReturnType<typeof useLocalModels>;
  readonly text: string;
}) {
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

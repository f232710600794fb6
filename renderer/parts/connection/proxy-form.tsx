import { useText } from '../../lib/text.ts';
import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import css from './connection-form.module.css';
import type { ProxyFormState } from './use-proxy-form.ts';

const modes = ['system', 'none', 'manual'] as const;

export function ProxyModes({ form }: { readonly form: ProxyFormState }) {
  const t = useText();
  return (
    <Segmented
      label={t('network.proxy.title')}
      options={modes.map((value) => ({ value, text: t(`network.proxy.modes.${value}`) }))}
      value={form.mode}
      onChange={form.choose}
    />
  );
}

/** The fields of a manual proxy, where that was chosen. */
export function ProxyFields({ form }: { readonly form: ProxyFormState }) {
  const t = useText();
  if (!form.isOpen) return null;
  const kept = ` ${t('network.proxy.oldKept')}`;
  return (
    <div>
      <div className={css['proxyFields']}>
        <div className={css['proxyServer']}>
          <Field
            label={t('network.proxy.server')}
            placeholder="10.0.0.1"
            value={form.server}
            onChange={form.setServer}
            onBlur={form.saveWritten}
            onEnter={form.saveWritten}
            error={form.isServerBad ? t('network.proxy.serverBad') + kept : null}
          />
        </div>
        <div className={css['proxyPort']}>
          <Field
            label={t('network.proxy.port')}
            value={form.port}
            onChange={form.setPort}
            onBlur={form.saveWritten}
            onEnter={form.saveWritten}
            error={form.isPortBad ? t('network.proxy.portBad') + kept : null}
          />
        </div>
      </div>
      <p className={css['proxyHint']}>{t('network.proxy.password')}</p>
    </div>
  );
}

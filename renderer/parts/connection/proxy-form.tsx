import { useText } from '../../lib/text.ts';
import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import css from './connection-form.module.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isPort, readProxyHost } from '../../../shared/domain/network/proxy.ts';
import { acceptSettings, useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { Settings } from '../../bridge/types.ts';

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

export function ProxyFields({ form }: { readonly form: ProxyFormState }) {
  const t = useText();
  if (!form.isOpen) return null;
  const kept = ` ${t('network.places.oldKept')}`;
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
      <p className="fine muted">{t('network.proxy.password')}</p>
    </div>
  );
}

type Proxy = Settings['proxy'];
export type ProxyMode = Proxy['mode'];

/** A manual proxy takes effect once it is complete; until then the previous one does. */
export function useProxyForm() {
  const studio = useStudio();
  const queries = useQueryClient();
  const { proxy } = useSettings();
  const [isOpen, setIsOpen] = useState(proxy.mode === 'manual');
  const [server, setServer] = useState(proxy.server);
  const [port, setPort] = useState(String(proxy.port));
  const [isJudged, setIsJudged] = useState(false);
  const read = readProxyHost(server);
  const number = read?.port ?? Number(port);
  const isPortGood = /^\d{1,5}$/.test(port.trim()) ? isPort(Number(port)) : read?.port !== null && read !== null;
  const save = async (next: Proxy) => {
    const answer = await studio.request('connection.setProxy', next);
    if (!answer.ok) return;
    acceptSettings(queries, studio, answer.value);
    setServer(answer.value.proxy.server);
    setPort(String(answer.value.proxy.port));
    setIsJudged(false);
    // What was unreachable may be reachable through another proxy.
    await queries.invalidateQueries({ queryKey: ['connection-report'] });
  };
  const saveWritten = () => {
    setIsJudged(true);
    if (read !== null && isPortGood) void save({ mode: 'manual', server, port: number });
  };
  const choose = (mode: ProxyMode) => {
    setIsOpen(mode === 'manual');
    if (mode !== 'manual') void save({ ...proxy, mode });
    else if (read !== null && isPortGood) void save({ mode, server, port: number });
  };
  return {
    mode: isOpen ? ('manual' as const) : proxy.mode,
    choose,
    isOpen,
    server,
    setServer,
    port,
    setPort,
    saveWritten,
    isWhole: !isOpen || (read !== null && isPortGood),
    isServerBad: isJudged && read === null,
    isPortBad: isJudged && !isPortGood,
  };
}

export type ProxyFormState = ReturnType<typeof useProxyForm>;

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isPort, readProxyHost } from '../../../shared/domain/network/proxy.ts';
import { acceptSettings, useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { Settings } from '../../bridge/types.ts';

type Proxy = Settings['proxy'];
export type ProxyMode = Proxy['mode'];

/**
 * How requests leave this computer, as a form. A manual proxy takes effect once it is complete; until then the previous
 * one does.
 */
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
    /** The current choice can be used as it is. */
    isWhole: !isOpen || (read !== null && isPortGood),
    isServerBad: isJudged && read === null,
    isPortBad: isJudged && !isPortGood,
  };
}

export type ProxyFormState = ReturnType<typeof useProxyForm>;

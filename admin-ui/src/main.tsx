import './app/mantine.css';
import './app/fonts.css';
import './app/styles.css';
import type { SiteConfig } from '../../contract/sign-in.ts';
import { connect } from './api/client.ts';
import { handOver, isReturning, openSession } from './api/session.ts';

/** Fetches the configuration of the instance. Throws if it is missing, because the page cannot work without it. */
const loadConfig = async (): Promise<SiteConfig> => {
  const response = await fetch('/config.json', { cache: 'no-store' });
  if (!response.ok) throw new Error(`/config.json answered with status ${response.status}.`);
  return (await response.json()) as SiteConfig;
};

// Only this file is loaded before the browser goes to the provider's page.
const loadPages = () => import('./app/pages.tsx');

const open = async (): Promise<void> => {
  if (handOver()) return (await loadPages()).showWindowDone();
  const pages = isReturning() ? loadPages() : undefined;
  try {
    const session = await openSession(await loadConfig());
    if (session === undefined) return;
    connect(session);
    (await (pages ?? loadPages())).showApp(session);
  } catch (error) {
    (await loadPages()).showStartFailure(error);
  }
};

// Not awaited: the app imports parts of this file and would wait for its end.
void open();

import './app/mantine.css';
import './app/fonts.css';
import './app/styles.css';
import type { SiteConfig } from '../../contract/sign-in.ts';
import { connect } from './api/client.ts';
import { readSession } from './api/operator.ts';
import { handOver, isReturning, needsDoor, openSession } from './api/session.ts';

/** The configuration of the instance. Throws if the page does not contain it. */
const readConfig = (): SiteConfig => {
  const text = document.getElementById('config')?.textContent;
  if (!text) throw new Error('The page was published without its configuration.');
  return JSON.parse(text) as SiteConfig;
};

// Only this file is loaded before the browser goes to the provider's page.
const loadPages = () => import('./app/pages.tsx');

const open = async (): Promise<void> => {
  if (handOver()) return (await loadPages()).showWindowDone();
  const pages = isReturning() ? loadPages() : undefined;
  try {
    const config = readConfig();
    if (needsDoor(config)) return (await loadPages()).showDoors();
    const session = await openSession(config);
    if (session === undefined) return;
    connect(session);
    const state = await readSession();
    (await (pages ?? loadPages())).showApp(session, state);
  } catch (error) {
    (await loadPages()).showStartFailure(error);
  }
};

// Not awaited: the app imports parts of this file and would wait for its end.
void open();

import './app/mantine.css';
import './app/fonts.css';
import './app/styles.css';
import { connect } from './api/client.ts';
import { loadConfig } from './api/config.ts';
import { handOver, isReturning, openSession } from './api/session.ts';

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

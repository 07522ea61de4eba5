import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './app/fonts.css';
import './app/styles.css';
import { connect } from './api/client.ts';
import { loadConfig } from './api/config.ts';
import { handOver, openSession } from './api/session.ts';
import { App } from './app/app.tsx';
import { holdEscape } from './app/shell/session-expired.tsx';
import { StartFailure, WindowDone } from './app/start-failure.tsx';
import { theme, variables } from './app/theme.ts';

const open = async () => {
  try {
    if (handOver()) return <WindowDone />;
    const session = await openSession(await loadConfig());
    if (session === undefined) return undefined;
    connect(session);
    holdEscape(session);
    return <App session={session} />;
  } catch (error) {
    return <StartFailure error={error} />;
  }
};

const content = await open();
const root = document.getElementById('root');
if (root !== null && content !== undefined) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
        {content}
      </MantineProvider>
    </StrictMode>,
  );
}

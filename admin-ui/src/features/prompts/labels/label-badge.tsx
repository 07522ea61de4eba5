import { Badge } from '@mantine/core';

/** A label, with the version that it points to unless that is already shown. */
export const LabelBadge = ({ label, version }: { label: string; version?: string }) => (
  <Badge
    color="spruce"
    size="sm"
    maw={220}
    title={version ? `${label} serves ${version}` : label}
    rightSection={version && <span className="cv-mono">→ {version}</span>}
  >
    {label}
  </Badge>
);

// npm run freeze-template: writes what the next release must keep of the current template. Run it at a release.
import { writeFileSync } from 'node:fs';
import { allResources, fullStack, runPython } from './full.ts';
import { freeze, type TypeSchema } from './release.ts';

const PYTHON = `
import json, sys
from cfnlint.schema import PROVIDER_SCHEMA_MANAGER
def names(pointers):
    return sorted({pointer.split('/')[2] for pointer in pointers or []})
def schema(name):
    try:
        found = PROVIDER_SCHEMA_MANAGER.get_resource_schema('us-east-1', name).schema
    except Exception:
        found = {}
    return {'createOnly': names(found.get('createOnlyProperties')), 'identifier': names(found.get('primaryIdentifier'))}
print(json.dumps({name: schema(name) for name in sys.argv[1:]}))
`;

const Resources = allResources(fullStack());
const types = [...new Set(Object.values(Resources).map(({ Type }) => Type))];
const schemas = runPython('python', '-c', PYTHON, ...types) as Record<string, TypeSchema>;
const release = freeze(Resources, (type) => schemas[type] ?? { createOnly: [], identifier: [] });
writeFileSync(new URL('release.json', import.meta.url), `${JSON.stringify(release, null, 2)}\n`);
process.stdout.write(`Frozen: ${Object.keys(release).length} resources in test/infra/gate/release.json.\n`);

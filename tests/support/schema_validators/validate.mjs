// Validates values with Ajv in strict mode, which refuses to compile a schema with anything unknown or ambiguous in it.
//
//     node validate.mjs FOLDER < CASES
//
// CASES is a line of JSON with the names of keywords that hints use, then lines with [FILE, VALUE]; FILE is the path of
// a schema in FOLDER. The answer is a line of JSON for each case: null, or what is wrong. `asyncapi.json` as FILE means
// the schema of AsyncAPI documents themselves.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import asyncapi from "@asyncapi/specs";
import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020.js";

const [folder] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const hints = JSON.parse((await lines.next()).value);
const compiled = new Map();

function validatorOf(file) {
  if (!compiled.has(file)) compiled.set(file, compile(file));
  return compiled.get(file);
}

function compile(file) {
  if (file === "asyncapi.json") {
    return new Ajv.default({ strict: false, logger: false }).compile(asyncapi.schemasWithoutId["3.0.0"]);
  }
  const ajv = new Ajv2020.default({ strict: true, logger: false });
  ajv.addVocabulary(hints);
  return ajv.compile(JSON.parse(readFileSync(join(folder, file), "utf8")));
}

for await (const line of lines) {
  const [file, value] = JSON.parse(line);
  let problem = null;
  try {
    const validate = validatorOf(file);
    if (!validate(value)) problem = validate.errors.map((error) => `${error.instancePath} ${error.message}`).join("; ");
  } catch (error) {
    problem = `${file} does not compile: ${error.message}`;
  }
  console.log(JSON.stringify(problem));
}

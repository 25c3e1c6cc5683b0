import { filler, hexDigits, type SecretForm } from "./form.ts";
import { looksRandom } from "./placeholder.ts";
import { serviceTokenForms } from "./service-tokens.ts";
import { token } from "./token-form.ts";

const word = "[A-Za-z0-9]";
const dashed = String.raw`[\w-]`;
const hex = "[0-9a-fA-F]";

/**
 * Tokens that their issuers let begin with a fixed text, so that they can be found. Prefixes, alphabets and lengths are
 * facts their issuers publish; a length is the shortest one in use, so that a longer token of next year is found too.
 */
export const tokenForms: readonly SecretForm[] = [
  {
    id: "aws-key-pair",
    doc: "AWS: secret key beside its id",
    keywords: ["AKIA", "ASIA"],
    // Before the id's own form, which leaves nothing to know the secret key by.
    pattern:
      /(?<kept>(?:AKIA|ASIA)[A-Z0-9]{16}["']?[\s,:;|]{1,8}["']?(?:[\w-]{1,24}["'\s,:;|]{1,8})?)(?<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/g,
    isHarmless: (value) => !looksRandom(value),
    example: () => `AKIA${filler(16, "A2B3C4D5E6F7GHIJK")},${filler(40)}`,
    masked: ",",
  },
  token({
    id: "github-token",
    doc: "GitHub: personal, OAuth, user, server and refresh tokens",
    prefixes: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    rest: word,
    min: 20,
  }),
  token({
    id: "github-fine-grained",
    doc: "GitHub: fine-grained personal token",
    prefixes: ["github_pat_"],
    rest: String.raw`\w`,
    min: 22,
  }),
  token({
    id: "gitlab-token",
    doc: "GitLab: personal, deploy, runner, trigger, feed, agent and job tokens",
    prefixes: [
      "glpat-",
      "gldt-",
      "glrt-",
      "glptt-",
      "glft-",
      "glimt-",
      "glagent-",
      "gloas-",
      "glsoat-",
      "glcbt-",
      "glffct-",
      "GR1348941",
    ],
    rest: String.raw`[\w.-]`,
    min: 20,
  }),
  token({ id: "npm-token", doc: "npm: access token", prefixes: ["npm_"], rest: word, min: 36 }),
  token({
    id: "stripe-key",
    doc: "Stripe: secret and restricted keys",
    prefixes: ["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"],
    rest: word,
    min: 10,
  }),
  token({
    id: "webhook-secret",
    doc: "Signing secret of Standard Webhooks and Stripe",
    prefixes: ["whsec_"],
    rest: "[A-Za-z0-9+/=_-]",
    min: 8,
  }),
  token({
    id: "model-api-key",
    doc: "OpenAI, Anthropic, OpenRouter, DeepSeek and others: sk-…, sk-proj-…, sk-ant-…",
    prefixes: ["sk-"],
    rest: dashed,
    min: 16,
    // Words of a name, such as those of an editor's mode.
    isHarmless: (whole) => /^sk(?:[-_]{1,2}[a-z]{1,12}){2,}$/.test(whole),
  }),
  token({
    id: "google-api-key",
    doc: "Google: API key",
    prefixes: ["AIza"],
    rest: dashed,
    min: 35,
    isExact: true,
  }),
  token({
    id: "google-oauth",
    doc: "Google: OAuth access and refresh tokens, client secret",
    prefixes: ["ya29.", "GOCSPX-", "1//0"],
    rest: String.raw`[\w.-]`,
    min: 20,
  }),
  token({
    id: "slack-token",
    doc: "Slack: bot, user, legacy, refresh, configuration and app tokens",
    prefixes: [
      "xoxa-",
      "xoxb-",
      "xoxc-",
      "xoxd-",
      "xoxe-",
      "xoxe.",
      "xoxo-",
      "xoxp-",
      "xoxr-",
      "xoxs-",
      "xapp-",
    ],
    rest: String.raw`[\w.%-]`,
    min: 10,
  }),
  token({
    id: "slack-webhook",
    doc: "Slack: address that posts messages",
    prefixes: ["hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/"],
    keywords: ["hooks.slack.com"],
    rest: String.raw`[\w+/\\%-]`,
    min: 10,
  }),
  token({
    id: "discord-webhook",
    doc: "Discord: address that posts messages",
    prefixes: ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
    keywords: ["discord.com", "discordapp.com"],
    rest: String.raw`[\w/\\%-]`,
    min: 20,
  }),
  token({
    id: "teams-webhook",
    doc: "Microsoft Teams: address that posts messages",
    prefixes: ["webhook.office.com/webhookb2/", "outlook.office.com/webhook/"],
    keywords: [".office.com"],
    rest: String.raw`[\w@/\\%-]`,
    min: 30,
  }),
  {
    id: "telegram-token",
    doc: "Telegram: token of a bot",
    keywords: [":aa", "/bot"],
    pattern: /(?<![\d:])(?:(?<=\/bot)\d{6,12}:[\w-]{30,40}|\d{8,12}:AA[\w-]{33})(?![\w-])/g,
    example: () => `123456789:AA${filler(33)}`,
    masked: "",
  },
  token({ id: "pypi-token", doc: "PyPI: upload token", prefixes: ["pypi-AgE"], rest: dashed, min: 16 }),
  token({
    id: "hugging-face-token",
    doc: "Hugging Face: user and organisation tokens",
    prefixes: ["hf_", "api_org_"],
    rest: word,
    min: 30,
  }),
  token({
    id: "docker-token",
    doc: "Docker: personal and organisation tokens",
    prefixes: ["dckr_pat_", "dckr_oat_"],
    rest: dashed,
    min: 20,
  }),
  token({
    id: "aws-key-id",
    doc: "AWS: id of a permanent or temporary key",
    prefixes: ["AKIA", "ASIA", "ABIA", "ACCA"],
    rest: "[A-Z0-9]",
    min: 16,
    alphabet: "A2B3C4D5E6F7GHIJK",
  }),
  token({
    id: "bedrock-key",
    doc: "AWS: Bedrock API keys",
    // What follows is the key's name in base64: by itself the first prefix would be found in any large image.
    prefixes: ["ABSKQmVkcm9ja0FQSUtle", "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t"],
    rest: "[A-Za-z0-9+/=]",
    min: 30,
  }),
  token({
    id: "aws-session-token",
    doc: "AWS: session token",
    prefixes: ["FwoGZXIvYXdz", "IQoJb3JpZ2lu"],
    rest: "[A-Za-z0-9+/=]",
    min: 60,
  }),
  {
    id: "azure-client-secret",
    doc: "Azure: secret of an application",
    keywords: ["Q~"],
    pattern: /(?<![\w~.-])[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/g,
    example: () => `aB38Q~${filler(34)}`,
    masked: "",
  },
  token({ id: "vault-token", doc: "HashiCorp Vault", prefixes: ["hvs.", "hvb."], rest: dashed, min: 24 }),
  token({ id: "sendgrid-key", doc: "SendGrid", prefixes: ["SG."], rest: String.raw`[\w.-]`, min: 60 }),
  token({
    id: "digitalocean-token",
    doc: "DigitalOcean",
    prefixes: ["dop_v1_", "doo_v1_", "dor_v1_"],
    rest: hex,
    min: 60,
    alphabet: hexDigits,
  }),
  token({
    id: "shopify-token",
    doc: "Shopify",
    prefixes: ["shpat_", "shpca_", "shppa_", "shpss_"],
    rest: hex,
    min: 32,
    alphabet: hexDigits,
  }),
  token({
    id: "databricks-token",
    doc: "Databricks",
    prefixes: ["dapi"],
    rest: hex,
    min: 32,
    alphabet: hexDigits,
  }),
  {
    id: "token-with-inner-mark",
    doc: "Terraform, Airtable, Harness, Twilio and 1Password: a fixed text and fixed lengths",
    keywords: [".atlasv1.", "pat", "sat.", "SK", "A3-"],
    pattern:
      /(?<![A-Za-z0-9])(?:[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}|[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}|SK[0-9a-f]{32}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3})(?![A-Za-z0-9])/g,
    example: () => `${filler(14)}.atlasv1.${filler(64)}`,
    masked: "",
  },
  ...serviceTokenForms,
];

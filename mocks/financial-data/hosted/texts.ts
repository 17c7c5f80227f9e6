/** The words of the hosted pages: English, Spanish of the United States and French of Canada. */
import type { Language } from "./sessions.ts";

export type Texts = Readonly<Record<keyof typeof ENGLISH, string>>;

const ENGLISH = {
  connect: "Connect your accounts",
  repair: "Repair your connection",
  turn: "Now it is the turn of",
  find: "Choose your institution",
  search: "Search",
  signIn: "Sign in to",
  username: "User name",
  password: "Password",
  wrong: "The user name or the password is wrong. Try again.",
  challenge: "Enter the code that was sent to you (in this sandbox: 123456)",
  code: "Code",
  wrongCode: "That is not the code. Try again.",
  choose: "Choose the accounts to share",
  none: "Choose at least one account.",
  payroll: "Payroll verification",
  ssn: "Social security number",
  manage: "Accounts that you share",
  amounts: "Enter the two amounts that were deposited",
  wrongAmounts: "Those are not the amounts. Try again.",
  deposits: "Who pays you?",
  bills: "Whom do you pay?",
  next: "Continue",
  done: "You are done. You may close this page.",
};

const SPANISH: Texts = {
  connect: "Conecte sus cuentas",
  repair: "Repare su conexión",
  turn: "Ahora es el turno de",
  find: "Elija su institución",
  search: "Buscar",
  signIn: "Inicie sesión en",
  username: "Nombre de usuario",
  password: "Contraseña",
  wrong: "El nombre de usuario o la contraseña no es correcto. Inténtelo otra vez.",
  challenge: "Escriba el código que le enviamos (en este entorno: 123456)",
  code: "Código",
  wrongCode: "Ese no es el código. Inténtelo otra vez.",
  choose: "Elija las cuentas que desea compartir",
  none: "Elija al menos una cuenta.",
  payroll: "Verificación de nómina",
  ssn: "Número de Seguro Social",
  manage: "Cuentas que comparte",
  amounts: "Escriba los dos montos depositados",
  wrongAmounts: "Esos no son los montos. Inténtelo otra vez.",
  deposits: "¿Quién le paga?",
  bills: "¿A quién le paga?",
  next: "Continuar",
  done: "Ha terminado. Puede cerrar esta página.",
};

const FRENCH: Texts = {
  connect: "Connectez vos comptes",
  repair: "Rétablissez votre connexion",
  turn: "C'est maintenant au tour de",
  find: "Choisissez votre institution",
  search: "Rechercher",
  signIn: "Ouvrez une session chez",
  username: "Nom d'utilisateur",
  password: "Mot de passe",
  wrong: "Le nom d'utilisateur ou le mot de passe est incorrect. Réessayez.",
  challenge: "Entrez le code qui vous a été envoyé (ici : 123456)",
  code: "Code",
  wrongCode: "Ce n'est pas le code. Réessayez.",
  choose: "Choisissez les comptes à partager",
  none: "Choisissez au moins un compte.",
  payroll: "Vérification de la paie",
  ssn: "Numéro de sécurité sociale",
  manage: "Comptes que vous partagez",
  amounts: "Entrez les deux montants déposés",
  wrongAmounts: "Ce ne sont pas les montants. Réessayez.",
  deposits: "Qui vous paie?",
  bills: "Qui payez-vous?",
  next: "Continuer",
  done: "Vous avez terminé. Vous pouvez fermer cette page.",
};

export const TEXTS: Readonly<Record<Language, Texts>> = { en: ENGLISH, es: SPANISH, fr: FRENCH };

/** As browsers are told (RFC 5646). */
export const TAGS: Readonly<Record<Language, string>> = { en: "en", es: "es-US", fr: "fr-CA" };

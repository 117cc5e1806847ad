// Written by tools/generate_types.py from the Python types; change those, then run `./dev page`.

export type Race = "dwarf" | "elf" | "gnome" | "human" | "orc" | "undead";

/** The stats, cost and training of a unit, as far as the page shows them. */
export interface Unit {
  readonly name: string;
  readonly melee: number;
  readonly short: number;
  readonly range: number;
  readonly defence: number;
  readonly gold: number;
  readonly iron: number;
  readonly wood: number;
  readonly half_gold_upkeep: number;
  readonly food_upkeep: number;
  readonly trainer: "advanced_training_center" | "training_center";
  readonly centers: number;
}

/** The name and cost of a building; the schema of actions has its effect. */
export interface Building {
  readonly name: string;
  readonly gold: number;
  readonly iron: number;
  readonly wood: number;
}

/** The cost of a technology per level in gold and days, and its requirements; the schema has its effect. */
export interface Technology {
  readonly name: string;
  readonly max_level: number;
  readonly gold: number;
  readonly days: number;
  readonly after: string | null;
  readonly race: "dwarf" | "elf" | "gnome" | "human" | "orc" | "undead" | null;
}

const unit = (name: Unit["name"], melee: Unit["melee"], short: Unit["short"], range: Unit["range"], defence: Unit["defence"], gold: Unit["gold"], iron: Unit["iron"], wood: Unit["wood"], half_gold_upkeep: Unit["half_gold_upkeep"], food_upkeep: Unit["food_upkeep"], trainer: Unit["trainer"], centers: Unit["centers"]): Unit => ({ name, melee, short, range, defence, gold, iron, wood, half_gold_upkeep, food_upkeep, trainer, centers });

const building = (name: Building["name"], gold: Building["gold"], iron: Building["iron"], wood: Building["wood"]): Building => ({ name, gold, iron, wood });

const technology = (name: Technology["name"], max_level: Technology["max_level"], gold: Technology["gold"], days: Technology["days"], after: Technology["after"], race: Technology["race"]): Technology => ({ name, max_level, gold, days, after, race });

export const RACES: readonly Race[] = ["dwarf","elf","gnome","human","orc","undead"];

export const UNITS: Readonly<Record<Race, readonly Unit[]>> = {"dwarf":[unit("Shieldbearer",0,0,0,20,925,6,0,26,4,"advanced_training_center",4),unit("HammerWheilder",7,0,0,7,635,8,1,14,3,"training_center",4),unit("AxeMan",9,0,0,11,1090,8,1,20,4,"training_center",5),unit("Runner",6,2,0,3,510,8,4,30,4,"advanced_training_center",5),unit("LightCrossbowman",0,0,2,5,480,3,3,16,2,"training_center",3),unit("HeavyCrossbowman",0,0,3,6,830,3,3,20,3,"advanced_training_center",5)],"elf":[unit("Mage",3,0,7,2,1900,0,0,60,2,"advanced_training_center",7),unit("Swordman",4,0,0,3,225,8,1,16,2,"training_center",3),unit("Lanceman",3,0,0,3,220,5,3,20,2,"training_center",4),unit("Caragous",0,0,0,1,1295,13,5,24,4,"advanced_training_center",5),unit("Archer",0,0,3,2,390,0,4,8,1,"training_center",2),unit("EliteArcher",0,0,5,3,730,0,8,16,3,"advanced_training_center",3)],"gnome":[unit("Catapult",0,0,15,25,3480,14,210,80,10,"advanced_training_center",8),unit("Infantry",2,0,0,2,210,4,4,8,1,"training_center",3),unit("Militia",1,0,0,1,100,2,3,2,1,"training_center",1),unit("Rider",6,0,0,6,835,6,3,14,3,"advanced_training_center",5),unit("RockThrower",0,0,1,1,115,1,1,2,1,"training_center",1),unit("Balista",5,0,10,15,2380,9,135,44,6,"advanced_training_center",7)],"human":[unit("Knight",8,1,0,11,1080,14,0,36,5,"advanced_training_center",6),unit("Infantry",3,0,0,5,240,6,0,8,2,"training_center",3),unit("Pikeman",4,0,0,3,280,5,3,8,2,"training_center",4),unit("HeavyInfantry",7,0,0,8,680,13,0,14,3,"advanced_training_center",5),unit("Archer",0,0,2,3,235,3,3,6,3,"training_center",3),unit("MountedArcher",3,0,2,7,800,7,3,22,3,"advanced_training_center",4)],"orc":[unit("ShadowWarrior",8,0,0,3,820,3,2,30,4,"advanced_training_center",6),unit("Rusher",4,0,0,3,210,3,2,8,3,"training_center",3),unit("Slother",2,0,0,2,105,1,3,4,2,"training_center",2),unit("WolfMaster",6,0,1,3,595,4,2,10,3,"advanced_training_center",5),unit("Slinger",0,0,2,2,65,1,1,4,1,"training_center",3),unit("AxeThrower",3,0,3,2,310,7,4,8,3,"advanced_training_center",5)],"undead":[unit("DarkKnight",8,0,1,11,1186,11,0,42,0,"advanced_training_center",6),unit("SkeletalLegion",1,0,0,1,79,2,0,3,0,"training_center",3),unit("WraithPikeman",4,0,0,4,285,4,3,12,0,"training_center",4),unit("AbominationCaragous",4,0,0,3,1486,11,3,28,0,"advanced_training_center",5),unit("PhantomArcher",0,0,2,3,485,3,2,10,0,"training_center",3),unit("WraithRider",3,0,2,7,745,6,2,26,0,"advanced_training_center",4)]};

export const BUILDINGS: Readonly<Record<string, Building>> = {"castle":building("Castle",45000,1250,750),"house":building("House",1050,0,50),"farm":building("Farm",1500,0,100),"mine":building("Mine",600,100,50),"mill":building("Mill",450,0,50),"forge":building("Forge",2250,50,50),"market":building("Market",1500,50,150),"guard_house":building("Guard House",1500,0,75),"school":building("School",750,50,100),"guard_towers":building("Guard Towers",1200,15,75),"medical_center":building("Medical Center",3000,10,50),"training_center":building("Training Center",1800,125,125),"advanced_training_center":building("Advanced Training Center",2250,150,150)};

export const TECHNOLOGIES: readonly Technology[] = [technology("Field-glass",1,50000,30,null,null),technology("Convertion",1,300000,50,"Field-glass",null),technology("Transport",1,500000,60,"Convertion",null),technology("Leadership",1,400000,40,"Transport",null),technology("Improved Law System",1,500000,70,"Leadership",null),technology("Tactical Knowledge",1,2500000,100,"Improved Law System",null),technology("Habitation",1,200000,40,null,null),technology("Commerce",1,300000,60,"Habitation",null),technology("Animal training",1,100000,15,"Commerce",null),technology("Blacksmithing",1,100000,15,"Animal training",null),technology("Carpentry",1,400000,60,"Blacksmithing",null),technology("Barrack",1,300000,50,"Carpentry",null),technology("Training techniques",1,1000000,100,"Barrack",null),technology("Fortification",1,400000,125,"Training techniques",null),technology("Irrigation",1,50000,150,null,null),technology("Machinery",1,200000,175,"Irrigation",null),technology("Wood Recycling",1,300000,240,"Machinery",null),technology("New Spells",4,150000,50,null,null),technology("Insight",1,100000,150,"New Spells",null),technology("Magical Instruments",1,2000000,100,"Insight",null),technology("Sharper Blades",3,200000,60,null,null),technology("Improve Bow Range",1,200000,100,null,null),technology("Tougher Light Armor",4,100000,100,null,null),technology("Tougher Heavy Armor",2,120000,75,null,null),technology("Castle Loss Immunity",5,100000,20,null,null),technology("Thane’s Table Etiquette",1,250000,48,null,null),technology("True Silver",1,100000,50,null,"dwarf"),technology("Magic Field",1,100000,50,null,"elf"),technology("Explosive powder",1,100000,50,null,"gnome"),technology("Clerical Magic",1,100000,50,null,"human"),technology("Cloacking",1,100000,50,null,"orc")];

export const STRATEGIES: Readonly<Record<Race, readonly string[]>> = {"dwarf":["Archer Protection","Infantry Attack","Quick Retreat","Anti-Cavalry","Dwarf Shield Line"],"elf":["Archer Protection","Infantry Attack","Quick Retreat","Anti-Cavalry","Elf Energy Gathering"],"gnome":["Archer Protection","Infantry Attack","Quick Retreat","Anti-Cavalry","Gnome Far Fighting"],"human":["Archer Protection","Infantry Attack","Quick Retreat","Anti-Cavalry","Human Charging!"],"orc":["Archer Protection","Infantry Attack","Quick Retreat","Anti-Cavalry","Orc Surrounding","Orc Berserker"],"undead":["Archer Protection","Infantry Attack","Quick Retreat","Anti-Cavalry","Skeleton Swarm"]};

export const MARKET_PRICES: Readonly<Record<string, number>> = {"wood":80,"iron":100,"food":60};

export const SALE_DIVISOR: number = 2;

export const LEAST_LAND: number = 5;

export const MAX_ROUNDS: number = 10;

export const BEST_WORKERS: Readonly<Record<string, number>> = {"mine":100,"mill":85,"farm":60,"forge":80};

export const MACHINERY_WORKERS: number = 85;
